import { setTimeout } from "node:timers/promises";
import type { PageClient } from "./compare-static-files.ts";

/** References of a page that are followed at most. */
const MAX_REFERENCES = 50;
/** Milliseconds before the references that got no answer are requested again. */
const RETRY_MS = 200;

/**
 * The references of a page and of its style sheets that are not served, of the first ones, each with what was answered. One
 * without an answer is requested again after the others, so that a page that stands still for a moment is not broken.
 * @param base address of the page, with a slash at the end
 */
export async function brokenReferences(html: string, base: string, { get, canRetry }: PageClient): Promise<string[]> {
  const broken: string[] = [];
  let waiting = sameOriginReferences(html, base).slice(0, MAX_REFERENCES);
  const seen = new Set(waiting);
  for (;;) {
    const unanswered: string[] = [];
    // Style sheets add to the list that is followed.
    for (const url of waiting) {
      const answer = await read(url, get);
      if (answer === null) unanswered.push(url);
      else if (answer.status >= 400) broken.push(`${url} (${answer.status})`);
      for (const next of sameOriginReferences(answer?.styleSheet ?? "", url)) {
        if (seen.has(next) || seen.size === MAX_REFERENCES) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
    if (unanswered.length === 0 || !canRetry()) return [...broken, ...unanswered.map((url) => `${url} (no answer)`)];
    await setTimeout(RETRY_MS);
    waiting = unanswered;
  }
}

/** What a reference was answered with; null without an answer. */
async function read(url: string, get: PageClient["get"]): Promise<{ status: number; styleSheet: string } | null> {
  try {
    const response = await get(url);
    const isStyleSheet = response.headers.get("content-type")?.includes("text/css") ?? false;
    const styleSheet = isStyleSheet ? await response.text().catch(() => "") : "";
    // The picture of a camera can be a stream without an end.
    if (!isStyleSheet) await response.body?.cancel();
    return { status: response.status, styleSheet };
  } catch {
    return null;
  }
}

/** The files of its own origin that a page or a style sheet refers to. */
function sameOriginReferences(text: string, base: string): string[] {
  const tags =
    /<(?:script|img|source|audio|video|iframe)\b[^>]*?\ssrc\s*=\s*["']([^"']+)|<link\b[^>]*?\shref\s*=\s*["']([^"']+)/gi;
  const styles = /url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)/gi;
  const named = [...text.matchAll(tags), ...text.matchAll(styles)].map(([, one, other]) => one ?? other ?? "");
  const urls = named.flatMap((name) => (URL.canParse(name, base) ? [new URL(name, base)] : []));
  const own = urls.filter(({ origin }) => origin === new URL(base).origin);
  return [...new Set(own.map((url) => url.href.replace(/#.*$/, "")))];
}
