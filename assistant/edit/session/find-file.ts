import { readdir, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** The app's folder (where pyproject.toml is; undefined for a file outside of any app) and the file to edit. */
export interface Target {
  app: string | undefined;
  file: string;
}

/**
 * The file that a command line means: `path` itself, `file` inside of the app at `path`, or the app's `NAME/main.py`.
 * @throws WorkbenchError `bad-request` when there is no such file or more than one
 */
export async function findTarget(cwd: string, path: string, file: string | undefined): Promise<Target> {
  const start = resolve(cwd, path);
  const kind = await stat(start).catch(() => undefined);
  if (kind === undefined)
    throw new WorkbenchError("bad-request", `${path} does not exist; name the folder of an app, or a file.`);
  if (kind.isFile()) return { app: await appAround(start), file: start };
  const chosen = file === undefined ? await mainOf(start, path) : resolve(start, file);
  if (!(await isFile(chosen)))
    throw new WorkbenchError(
      "bad-request",
      `${chosen} is not a file; name one inside of the app, for example README.md.`,
    );
  return { app: await appAround(chosen), file: chosen };
}

async function mainOf(folder: string, said: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const mains: string[] = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const main = join(folder, entry.name, "main.py");
    if (await isFile(main)) mains.push(main);
  }
  const [main] = mains;
  if (main !== undefined && mains.length === 1) return main;
  const found = mains.length === 0 ? "no NAME/main.py" : `${mains.length} of NAME/main.py`;
  throw new WorkbenchError("bad-request", `${said} has ${found}; name the file, for example: edit ${said} README.md`);
}

async function appAround(file: string): Promise<string | undefined> {
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

const LANGUAGES: Readonly<Record<string, string>> = {
  ".py": "python",
  ".js": "javascript",
  ".mjs": "javascript",
  ".ts": "typescript",
  ".html": "html",
  ".css": "css",
  ".json": "json",
  ".toml": "toml",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".md": "markdown",
  ".sh": "bash",
};

/** The name that goes after a fence for a file; "" for an extension that says nothing. */
export function languageOf(file: string): string {
  return LANGUAGES[extname(file).toLowerCase()] ?? "";
}
