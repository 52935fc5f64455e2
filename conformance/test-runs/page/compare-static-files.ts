import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { StaticFileFacts } from "../../evidence/evidence.ts";

/** Files that are compared at most, in the order of their names. */
const MAX_FILES = 100;
/** Names under which a page may serve the index of static/. */
const INDEX = "index.html";
/** Milliseconds before the files that got no answer are requested again. */
const RETRY_MS = 200;

/** Requests to a page. */
export interface PageClient {
  /** @throws Error without an answer, as when it takes too long */
  get(url: string): Promise<Response>;
  /** Whether there is time for another request, and an app to answer it. */
  canRetry(): boolean;
}

/**
 * Compares the files of static/ with what a page serves: each at its name or below /static/, the index also at /. A file
 * without an answer is requested again after the others.
 * @param base address of the page, with a slash at the end
 */
export async function compareStaticFiles(
  folder: string,
  base: string,
  { get, canRetry }: PageClient,
): Promise<StaticFileFacts> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
    .slice(0, MAX_FILES);
  const different: string[] = [];
  const compare = async (requested: readonly string[]): Promise<string[]> => {
    const unanswered: string[] = [];
    for (const name of requested) {
      const expected = await readFile(join(folder, name));
      const path = name.split("/").map(encodeURIComponent).join("/");
      const places = [path, `static/${path}`, ...(name === INDEX ? [""] : [])];
      const served = await compareServed(expected, places, (place) => get(`${base}${place}`));
      if (served === "different") different.push(name);
      if (served === "unanswered") unanswered.push(name);
    }
    return unanswered;
  };
  let unanswered = await compare(names);
  while (unanswered.length > 0 && canRetry()) {
    await setTimeout(RETRY_MS);
    unanswered = await compare(unanswered);
  }
  return { compared: names.length, different: different.sort(), unanswered };
}

/** `unanswered`: at none of the places the file was served, and at one there was no whole answer. */
async function compareServed(
  expected: Buffer,
  places: readonly string[],
  get: (place: string) => Promise<Response>,
): Promise<"equal" | "different" | "unanswered"> {
  let result: "different" | "unanswered" = "different";
  for (const place of places) {
    try {
      const response = await get(place);
      if (!response.ok) await response.body?.cancel();
      else if (expected.equals(Buffer.from(await response.arrayBuffer()))) return "equal";
    } catch {
      result = "unanswered";
    }
  }
  return result;
}
