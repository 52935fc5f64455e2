import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../../files/sha256.ts";
import { isProjectFile } from "./project-files.ts";

/** A file of a project, or what else is in its place: a symbolic link, a pipe, a socket. */
export interface ProjectEntry {
  /** Path relative to the project's folder. */
  name: string;
  kind: "file" | "link" | "other";
}

/**
 * A digest of a folder's project files, their names, and the targets of its symbolic links: `sha256:` and hexadecimal
 * digits. Each content counts by its own digest, so that no content can look like several files.
 */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, kind } of await projectEntriesIn(folder)) {
    if (kind === "file") hash.update(`file\0${name}\0${sha256(await readFile(path.join(folder, name)))}\0`);
    if (kind === "link") hash.update(`link\0${name}\0${await readlink(path.join(folder, name))}\0`);
  }
  return `sha256:${hash.digest("hex")}`;
}

/** The project files of a folder and what else is among them, sorted by name. */
export async function projectEntriesIn(folder: string): Promise<ProjectEntry[]> {
  const entries = await entriesIn(folder, "");
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function entriesIn(folder: string, relative: string): Promise<ProjectEntry[]> {
  const entries = await readdir(path.join(folder, relative), { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry): Promise<ProjectEntry[]> => {
      const name = path.join(relative, entry.name);
      if (!isProjectFile(name)) return [];
      if (entry.isDirectory()) return entriesIn(folder, name);
      return [{ name, kind: entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other" }];
    }),
  );
  return lists.flat();
}
