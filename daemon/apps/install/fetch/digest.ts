import { createHash } from "node:crypto";
import { readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../../../common/files/sha256.ts";
import { isInside } from "../../../../common/machine/is-inside.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";

/** Folders that no build needs, wherever they are: histories, environments and caches of Python's tools. */
const IGNORED_ANYWHERE = new Set([
  ...[".git", ".hg", ".venv", ".tox", ".nox", "node_modules"],
  ...["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"],
]);
/** The folder in which publish puts the verdict of the rest. */
export const VERDICT_FOLDER = "robot-app-verdict";
/** Folders that builds leave at the top of a project, and the verdict. */
const IGNORED_AT_TOP = new Set(["build", "dist", "venv", VERDICT_FOLDER]);

/** True for a file or folder that belongs to the project itself. @param relative path within the project's folder */
export function isProjectFile(relative: string): boolean {
  return (
    !IGNORED_ANYWHERE.has(path.basename(relative)) && !IGNORED_AT_TOP.has(relative) && !relative.endsWith(".egg-info")
  );
}

/**
 * A file of a project, or what else is in its place. A symbolic link that stays inside the folder is what it leads to: a file,
 * or a folder with its files. Any other is a `link`, which is not followed.
 */
export interface ProjectEntry {
  /** Path relative to the project's folder. */
  name: string;
  kind: "file" | "link" | "other";
}

/** More files than any app has: links to folders that hold links to folders can lead to any number. */
const MAX_ENTRIES = 100_000;

/**
 * A digest of a folder's project files, their names, and the targets of symbolic links that are not followed: `sha256:` and
 * hexadecimal digits. Each content counts by its own digest, so that no content can look like several files.
 * @throws WorkbenchError `bad-request` for too many files
 */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, kind } of await projectEntriesIn(folder)) {
    if (kind === "file") hash.update(`file\0${name}\0${sha256(await readFile(path.join(folder, name)))}\0`);
    if (kind === "link") hash.update(`link\0${name}\0${await readlink(path.join(folder, name))}\0`);
  }
  return `sha256:${hash.digest("hex")}`;
}

/**
 * The project files of a folder and what else is among them, sorted by name.
 * @throws WorkbenchError `bad-request` for too many files, and for a name that is no UTF-8: several of them read as the same
 */
export async function projectEntriesIn(folder: string): Promise<ProjectEntry[]> {
  const entries: ProjectEntry[] = [];
  const root = await realpath(folder);
  await addEntries(entries, root, "", [root]);
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Files and folders that are no project files, so that neither the digest covers them nor an install builds with them. */
export async function namesLeftOutOf(folder: string): Promise<string[]> {
  const leftOut: string[] = [];
  const root = await realpath(folder);
  await addEntries([], root, "", [root], (name) => leftOut.push(name));
  return leftOut.sort();
}

/**
 * Adds the entries of a folder of the project.
 * @param parents the real paths of the folder and of those around it, through which no link may lead back
 */
async function addEntries(
  into: ProjectEntry[],
  root: string,
  relative: string,
  parents: readonly string[],
  onLeftOut: (name: string) => void = () => {},
): Promise<void> {
  for (const entry of await readdir(path.join(root, relative), { withFileTypes: true, encoding: "buffer" })) {
    const name = path.join(relative, decodeName(entry.name, relative));
    if (!isProjectFile(name)) {
      onLeftOut(name);
      continue;
    }
    const real = entry.isSymbolicLink() ? await followed(name, root, parents) : path.join(root, name);
    const found = real === null ? null : entry.isSymbolicLink() ? await stat(real) : entry;
    if (real !== null && found?.isDirectory()) await addEntries(into, root, name, [...parents, real], onLeftOut);
    else into.push({ name, kind: found === null ? "link" : found.isFile() ? "file" : "other" });
    if (into.length > MAX_ENTRIES)
      throw new WorkbenchError("bad-request", `${root} has more than ${MAX_ENTRIES} files: remove links to folders.`);
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws WorkbenchError `bad-request` for a name that is no UTF-8 */
function decodeName(bytes: Buffer, folder: string): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    const shown = path.join(folder, String(bytes));
    throw new WorkbenchError("bad-request", `${JSON.stringify(shown)} has a name that is not UTF-8: rename it.`);
  }
}

/** Where a link leads; null for one that leads out of the project, to nothing, or to a folder around itself. */
async function followed(name: string, root: string, parents: readonly string[]): Promise<string | null> {
  const real = await realpath(path.join(root, name)).catch(() => null);
  return real !== null && isInside(root, real) && !parents.includes(real) ? real : null;
}
