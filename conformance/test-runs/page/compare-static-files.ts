import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { StaticFileFacts } from "../../evidence/evidence.ts";

/** Files that are compared at most, in the order of their names. */
const MAX_FILES = 100;
/** Names under which a page may serve the index of static/. */
const INDEX = "index.html";

/**
 * Compares the files of static/ with what a page serves: each at its name or below /static/, the index also at /.
 * @param base address of the page, with a slash at the end
 */
export async function compareStaticFiles(
  folder: string,
  base: string,
  get: (url: string) => Promise<Response>,
): Promise<StaticFileFacts> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
    .slice(0, MAX_FILES);
  const different: string[] = [];
  for (const name of names) {
    const expected = await readFile(join(folder, name));
    const path = name.split("/").map(encodeURIComponent).join("/");
    const places = [path, `static/${path}`, ...(name === INDEX ? [""] : [])];
    if (!(await isServed(expected, places, (place) => get(`${base}${place}`)))) different.push(name);
  }
  return { compared: names.length, different };
}

async function isServed(expected: Buffer, places: readonly string[], get: (place: string) => Promise<Response>) {
  for (const place of places) {
    const response = await get(place).catch(() => null);
    const served = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
    if (served !== null && expected.equals(Buffer.from(served))) return true;
  }
  return false;
}
