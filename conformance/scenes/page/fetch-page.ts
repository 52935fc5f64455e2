import type { PageFacts } from "../../evidence/evidence.ts";
import type { AppRun } from "../../runner/app-run.ts";
import type { Stage } from "../../runner/stage.ts";

/** Seconds from the connection until the page must be there: FastAPI is imported beside the app. */
export const PAGE_LIMIT = 15;
const REQUEST_MS = 3000;
/** What a page may lead to before it is no settings page any more. */
const MAX_REFERENCES = 50;

/** Asks for an app's page as soon as it is there, and then for everything of its own that it names. */
export async function fetchPage({ port }: { port: number }, run: AppRun, stage: Stage): Promise<PageFacts> {
  const base = `http://127.0.0.1:${port}/`;
  const get = (url: string) =>
    fetch(url, { signal: AbortSignal.any([stage.options.host.signal, AbortSignal.timeout(REQUEST_MS)]) });
  const from = stage.now();
  let last = "nothing listened";
  let html = "";
  const there = await stage
    .until(PAGE_LIMIT, "the page is there", async () => {
      if (run.isOver) return true;
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
    .then(() => !run.isOver)
    .catch(() => {
      stage.options.host.signal.throwIfAborted();
      return false;
    });
  const took = stage.now() - from;
  if (!there) return { answer: last, took: null, broken: [] };
  return { answer: last, took, broken: await brokenReferences(html, base, get) };
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

/** The static things of its own origin that a page or a style sheet names; what others serve is none of ours. */
export function ownReferences(text: string, base: string): string[] {
  const tags =
    /<(?:script|img|source|audio|video|iframe)\b[^>]*?\ssrc\s*=\s*["']([^"']+)|<link\b[^>]*?\shref\s*=\s*["']([^"']+)/gi;
  const styles = /url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)/gi;
  const named = [...text.matchAll(tags), ...text.matchAll(styles)].map(([, one, other]) => one ?? other ?? "");
  const urls = named.flatMap((name) => (URL.canParse(name, base) ? [new URL(name, base)] : []));
  const own = urls.filter(({ origin }) => origin === new URL(base).origin);
  return [...new Set(own.map((url) => url.href.replace(/#.*$/, "")))];
}
