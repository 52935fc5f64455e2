import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../common/machine/is-inside.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The app's folder, where pyproject.toml is (undefined for a file outside of any app), and the file to edit. */
export interface Target {
  app: string | undefined;
  file: string;
}

/**
 * Finds the file that a command line names: `path` itself, `file` inside the app at `path` or its package `NAME/`, or the
 * app's `NAME/main.py`.
 * @throws WorkbenchError `bad-request` when there is no such file or more than one, or it is a link that leads out of the app
 */
export async function findTarget(cwd: string, path: string, file: string | undefined): Promise<Target> {
  const start = resolve(cwd, path);
  const isNamed = (await requireExisting(cwd, path)).isFile();
  const chosen = isNamed ? start : await findInside(start, file, path);
  const app = await enclosingApp(chosen);
  const folder = app ?? (isNamed ? undefined : start);
  if (folder !== undefined) await refuseLinkOut(folder, chosen);
  return { app, file: chosen };
}

/** A model gets the content of the file: in a stranger's app it must not be another file of the user. */
async function refuseLinkOut(folder: string, file: string): Promise<void> {
  const real = await realpath(file);
  if (isInside(await realpath(folder), real)) return;
  throw new WorkbenchError("bad-request", `${file} leads out of ${folder}, to ${real}; name that file to edit it.`);
}

/** What is at a path of a command line. @throws WorkbenchError `bad-request` when there is nothing */
export async function requireExisting(cwd: string, path: string): Promise<Stats> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found !== undefined) return found;
  throw new WorkbenchError("bad-request", `${path} does not exist; name the folder of an app, or a file.`);
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
  throw new WorkbenchError("bad-request", `${given} ${problem}; name the file, for example: edit ${given} README.md`);
}

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
