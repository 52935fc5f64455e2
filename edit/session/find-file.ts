import type { Stats } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../common/machine/is-inside.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { foldName } from "./answered-path.ts";

/** The app's folder, where pyproject.toml is (undefined for a file outside of any app), and the file to edit. */
export interface Target {
  app: string | undefined;
  file: string;
}

/**
 * Finds the file that a command line names: `path` itself, `file` inside the app at `path` or its package `NAME/`, or the
 * app's `NAME/main.py`.
 * @throws WorkbenchError `bad-request` when there is more than one such file, or it is a link that leads out of the app;
 *   `NoSuchFile`
 */
export async function findTarget(cwd: string, path: string, file: string | undefined): Promise<Target> {
  const start = resolve(cwd, path);
  const isNamed = await isNamedFile(cwd, path);
  if (isNamed && file !== undefined) throw fileBeforeFiles(path);
  const chosen = isNamed ? start : await findInside(start, file, path);
  const app = await enclosingApp(chosen);
  const folder = app ?? (isNamed ? undefined : start);
  if (folder !== undefined) await refuseLinkOut(folder, chosen);
  return { app, file: chosen };
}

/**
 * The folder of an app, and its files that a command line names; one that does not exist yet is the place of a new file.
 * A new Python file that is named without a folder is made in the app's package.
 * @throws WorkbenchError `bad-request` when the app does not exist, or a file is outside of it or is named twice
 */
export async function findTargets(
  cwd: string,
  path: string,
  files: readonly string[],
): Promise<{ app: string; files: string[] }> {
  const start = resolve(cwd, path);
  if (await isNamedFile(cwd, path)) throw fileBeforeFiles(path);
  const app = (await enclosingApp(join(start, "pyproject.toml"))) ?? start;
  const found: string[] = [];
  for (const file of files) {
    const place = await findInside(start, file, path).catch((error: unknown) => newPlace(start, file, error));
    for (const other of found) if (await isSameFile(other, place)) throw namedTwice(file, other, place);
    found.push(place);
    if (!isInside(app, place)) throw new WorkbenchError("bad-request", `${file} is not in ${app}.`);
    await refuseLinkOut(app, await deepestExisting(place));
  }
  return { app, files: found };
}

/** Whether two paths are one file: as the disk says, and for new files by their letters, since a disk may fold them. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [found, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  if (found === undefined || second === undefined) return foldName(one) === foldName(other);
  return found.dev === second.dev && found.ino === second.ino;
}

const namedTwice = (file: string, first: string, second: string): WorkbenchError =>
  new WorkbenchError(
    "bad-request",
    first === second
      ? `${file} is named twice.`
      : `${first} and ${second} are one file, or one on some disks: name it once.`,
  );

const fileBeforeFiles = (path: string) =>
  new WorkbenchError(
    "bad-request",
    `${path} is a file: name the folder of the app before the files, as in edit . ${path}`,
  );

async function newPlace(start: string, file: string, error: unknown): Promise<string> {
  const place = resolve(start, file);
  if (!(error instanceof NoSuchFile) || (await isThere(place))) throw error;
  const isBare = basename(file) === file && file.endsWith(".py");
  const main = isBare ? await findInside(start, undefined, file).catch(() => undefined) : undefined;
  return main === undefined ? place : join(dirname(main), file);
}

/** The path itself, or the deepest folder above it that exists. */
async function deepestExisting(path: string): Promise<string> {
  let found = path;
  while (!(await isThere(found))) found = dirname(found);
  return found;
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A model gets the content of the file: in a stranger's app it must not be another file of the user. */
async function refuseLinkOut(folder: string, file: string): Promise<void> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) throw new WorkbenchError("bad-request", `${file} ${LEADS_NOWHERE}`);
  if (isInside(await realpath(folder), real)) return;
  throw new WorkbenchError("bad-request", `${file} leads out of ${folder}, to ${real}; name that file to edit it.`);
}

const LEADS_NOWHERE = "is a link that leads nowhere; remove it, or name a folder or file that exists.";

/** What is at a path of a command line. @throws WorkbenchError `bad-request` when there is nothing */
export async function requireExisting(cwd: string, path: string): Promise<Stats> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found !== undefined) return found;
  if (await isThere(resolve(cwd, path))) throw new WorkbenchError("bad-request", `${path} ${LEADS_NOWHERE}`);
  throw new WorkbenchError("bad-request", `${path} does not exist; name the folder of an app, or a file.`);
}

/** Whether a path of a command line is a file, not a folder. @throws WorkbenchError `bad-request` when it is neither */
async function isNamedFile(cwd: string, path: string): Promise<boolean> {
  const found = await requireExisting(cwd, path);
  if (found.isFile() || found.isDirectory()) return found.isFile();
  throw new WorkbenchError(
    "bad-request",
    `${path} is neither a file nor a folder; name the folder of an app, or a file.`,
  );
}

/** A file of an app by its path, or by its path inside the app's package. */
async function findInside(folder: string, file: string | undefined, given: string): Promise<string> {
  if (file !== undefined && (await isFile(resolve(folder, file)))) return resolve(folder, file);
  const name = file ?? "main.py";
  const entries = await readdir(folder, { withFileTypes: true });
  const candidates = entries.filter((each) => each.isDirectory()).map((each) => join(folder, each.name, name));
  const found: string[] = [];
  for (const candidate of candidates) if (await isFile(candidate)) found.push(candidate);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const wanted = file === undefined ? "NAME/main.py" : `${name}, also inside its packages`;
  const problem = found.length === 0 ? `has no ${wanted}` : `has ${found.length} files NAME/${name}`;
  const detail = `${given} ${problem}; name the file, for example: edit ${given} README.md`;
  throw found.length === 0 ? new NoSuchFile("bad-request", detail) : new WorkbenchError("bad-request", detail);
}

/** The command line names a file that does not exist. */
export class NoSuchFile extends WorkbenchError {}

async function enclosingApp(file: string): Promise<string | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (await isFile(join(folder, "pyproject.toml"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
