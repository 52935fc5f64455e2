import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isProjectFile } from "./project-files.ts";

/** A digest of a folder's project files and their names: `sha256:` and hexadecimal digits. */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of await projectFilesIn(folder)) {
    hash
      .update(`${file}\0`)
      .update(await readFile(path.join(folder, file)))
      .update("\0");
  }
  return `sha256:${hash.digest("hex")}`;
}

/** The project files of a folder, sorted. */
export const projectFilesIn = (folder: string): Promise<string[]> => filesIn(folder, "");

async function filesIn(folder: string, relative: string): Promise<string[]> {
  const entries = await readdir(path.join(folder, relative), { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const name = path.join(relative, entry.name);
      if (!isProjectFile(name)) return [];
      if (entry.isDirectory()) return filesIn(folder, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return lists.flat().sort();
}
