import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../../common/machine/is-inside.ts";
import { readIfPresent } from "../../../common/machine/read-if-present.ts";
import { GitignoreRules } from "./gitignore-rules.ts";

/**
 * The texts of an app by path, with "/" between folders; null for what cannot be read as text: bytes that are not UTF-8, a
 * file over 1 MB, a pipe, and a link that leads out of the app's folder.
 */
export type Files = ReadonlyMap<string, string | null>;

const TEXT_LIMIT_BYTES = 1_000_000;

/** Files that tools generate; they are never published. */
export const DEFAULT_IGNORES = [
  ".git",
  "__pycache__",
  "*.pyc",
  "*.egg-info",
  ".venv",
  "venv",
  "node_modules",
  ".*_cache",
  ".robot-edit-*",
];

/**
 * Reads the files of an app's folder, except those that a `.gitignore` in it excludes from publishing. Links to folders are
 * not followed.
 * @throws Error of Node when a file or folder cannot be read; the signal's reason when aborted
 */
export async function readFiles(folder: string, signal: AbortSignal): Promise<Files> {
  const files = new Map<string, string | null>();
  await readInto(files, await realpath(folder), "", new GitignoreRules(DEFAULT_IGNORES), signal);
  return files;
}

/** The files without those that a `.gitignore` among them excludes from publishing. */
export function withoutIgnored(files: Files): Files {
  const ignored = new GitignoreRules(DEFAULT_IGNORES);
  const folders = [...files.keys()].flatMap((file) => /^(.*\/)?\.gitignore$/.exec(file)?.slice(1) ?? []);
  for (const folder of folders.map((each = "") => each).sort((one, other) => one.length - other.length))
    ignored.add(folder, files.get(`${folder}.gitignore`) ?? "");
  return new Map([...files].filter(([file]) => !ignored.ignores(file)));
}

async function readInto(
  files: Map<string, string | null>,
  root: string,
  inside: string,
  ignored: GitignoreRules,
  signal: AbortSignal,
) {
  const rules = await readIfPresent(join(root, inside, ".gitignore"));
  if (rules !== null) ignored.add(inside, rules);
  const entries = await readdir(join(root, inside), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    signal.throwIfAborted();
    const path = inside + entry.name;
    const isFolder = entry.isDirectory();
    if (ignored.ignores(isFolder ? `${path}/` : path)) continue;
    if (isFolder) await readInto(files, root, `${path}/`, ignored, signal);
    else await readOne(files, root, path);
  }
}

/** Null for bytes that are not UTF-8 text: decoded and written again they would change. */
const textOf = (bytes: Buffer): string | null => (isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : null);

async function readOne(files: Map<string, string | null>, root: string, path: string): Promise<void> {
  const found = await stat(join(root, path)).catch(() => undefined); // a broken link
  if (found === undefined || found.isDirectory()) return;
  const isText = found.isFile() && found.size <= TEXT_LIMIT_BYTES && isInside(root, await realpath(join(root, path)));
  files.set(path, isText ? textOf(await readFile(join(root, path))) : null);
}
