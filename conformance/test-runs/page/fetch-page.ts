import type { PageFacts } from "../../evidence/evidence.ts";
import type { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { PAGE_LIMIT } from "../limits.ts";
import { compareStaticFiles } from "./compare-static-files.ts";

const REQUEST_MS = 3000;
/** An address of this machine that servers on 127.0.0.1 and ::1 do not listen on: all of 127.0.0.0/8 is loopback on Linux. */
const OTHER_ADDRESS = "127.0.0.2";
/** References of a page that are followed at most. */
const MAX_REFERENCES = 50;
/** Milliseconds for all files of a page. References that are not there by then are broken. */
const FILES_MS = 30_000;

/** Gets an app's page as soon as it answers, then every file of its own origin that it refers to, and those of static/. */
export async function fetchPage({ port }: { port: number }, run: LiveAppRun, bed: TestBed): Promise<PageFacts> {
  const base = `http://127.0.0.1:${port}/`;
  const { answer, availableAfter, html } = await waitForPage(base, run, bed);
  const deadline = AbortSignal.timeout(FILES_MS);
  const get = (url: string) => request(url, bed, deadline);
  if (availableAfter === null)
    return { answer, availableAfter, appEnded: run.hasEnded, brokenReferences: [], staticFiles: null };
  const folder = bed.options.app.staticFolder;
  const broken = await brokenReferences(html, base, get);
  const canRetry = () => !deadline.aborted && !run.hasEnded && !bed.options.host.signal.aborted;
  const staticFiles = folder === null ? null : await compareStaticFiles(folder, base, { get, canRetry });
  return { answer, availableAfter, appEnded: run.hasEnded, brokenReferences: broken, staticFiles };
}

/** Gets the page at another address of this machine, as a browser elsewhere on the robot's network does. */
export async function fetchFromNetwork({ port }: { port: number }, run: LiveAppRun, bed: TestBed) {
  const { answer, availableAfter } = await waitForPage(`http://${OTHER_ADDRESS}:${port}/`, run, bed);
  return { answer, availableAfter, appEnded: run.hasEnded };
}

function request(url: string, bed: TestBed, deadline?: AbortSignal): Promise<Response> {
  const signals = [bed.options.host.signal, AbortSignal.timeout(REQUEST_MS), ...(deadline ? [deadline] : [])];
  const signal = AbortSignal.any(signals);
  return fetch(url, { headers: bed.rig.pageHeaders, signal });
}

/** Waits until a page answers; `availableAfter` is null when it does not in time. */
async function waitForPage(base: string, run: LiveAppRun, bed: TestBed) {
  const from = bed.now();
  let last = "nothing listened";
  let html = "";
  const there = await bed
    .waitFor(PAGE_LIMIT, "the page answers", async () => {
      if (run.hasEnded) return true;
      const response = await request(base, bed).catch((error: Error) => {
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
  return { answer: last, availableAfter: there ? bed.now() - from : null, html };
}

/** The references of a page and of its style sheets that are not served, of the first ones. */
export async function brokenReferences(html: string, base: string, get: (url: string) => Promise<Response>) {
  const broken: string[] = [];
  const waiting = ownReferences(html, base);
  const seen = new Set(waiting);
  for (let left = MAX_REFERENCES; left > 0; left -= 1) {
    const url = waiting.shift();
    if (url === undefined) break;
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
