import type { PageFacts } from "../../evidence/evidence.ts";
import type { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { PAGE_LIMIT } from "../limits.ts";

const REQUEST_MS = 3000;
/** References of a page that are followed at most. */
const MAX_REFERENCES = 50;

/** Gets an app's page as soon as it answers, then every file of its own origin that it refers to. */
export async function fetchPage({ port }: { port: number }, run: LiveAppRun, bed: TestBed): Promise<PageFacts> {
  const base = `http://127.0.0.1:${port}/`;
  const get = (url: string) =>
    fetch(url, { signal: AbortSignal.any([bed.options.host.signal, AbortSignal.timeout(REQUEST_MS)]) });
  const from = bed.now();
  let last = "nothing listened";
  let html = "";
  const there = await bed
    .waitFor(PAGE_LIMIT, "the page answers", async () => {
      if (run.hasEnded) return true;
      const response = await get(base).catch((error: Error) => {
        last = `no answer (${(error.cause as Error | undefined)?.message ?? error.message})`;
        return null;
      });
      if (response === null) return false;
      html = await response.text();
      const type = response.headers.get("content-type") ?? "nothing";
      last = `${response.status} with ${type}`;
      return response.status === 200 && type.includes("text/html");
    })
    .then(() => !run.hasEnded)
    .catch(() => {
      bed.options.host.signal.throwIfAborted();
      return false;
    });
  const took = bed.now() - from;
  if (!there) return { answer: last, took: null, brokenReferences: [] };
  return { answer: last, took, brokenReferences: await brokenReferences(html, base, get) };
}

async function brokenReferences(html: string, base: string, get: (url: string) => Promise<Response>) {
  const broken: string[] = [];
  const waiting = ownReferences(html, base);
  const seen = new Set(waiting);
  for (let url = waiting.shift(); url !== undefined && seen.size < MAX_REFERENCES; url = waiting.shift()) {
    const response = await get(url).catch(() => null);
    if (response === null || response.status >= 400) broken.push(`${url} (${response?.status ?? "no answer"})`);
    const text = (await response?.text().catch(() => "")) ?? "";
    if (!response?.headers.get("content-type")?.includes("text/css")) continue;
    for (const next of ownReferences(text, url)) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return broken;
}

/** The files of its own origin that a page or a style sheet refers to. */
export function ownReferences(text: string, base: string): string[] {
  const tags =
    /<(?:script|img|source|audio|video|iframe)\b[^>]*?\ssrc\s*=\s*["']([^"']+)|<link\b[^>]*?\shref\s*=\s*["']([^"']+)/gi;
  const styles = /url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)/gi;
  const named = [...text.matchAll(tags), ...text.matchAll(styles)].map(([, one, other]) => one ?? other ?? "");
  const urls = named.flatMap((name) => (URL.canParse(name, base) ? [new URL(name, base)] : []));
  const own = urls.filter(({ origin }) => origin === new URL(base).origin);
  return [...new Set(own.map((url) => url.href.replace(/#.*$/, "")))];
}
