import { readdir } from "node:fs/promises";
import { extname, join, relative, resolve } from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { readSource, textForModel } from "../apply/file.ts";
import { fenced } from "../formats/fence.ts";
import { languageOf } from "../session/find-file.ts";
import { refuseControlTokens } from "../tokens.ts";

/** A file that a model reads and does not change. */
export interface ReferenceFile {
  /** Path from the working directory. */
  name: string;
  text: string;
}

/** All reference files together, in characters: about a third of them in tokens. */
const MAX_CHARACTERS = 60_000;
/** What a model needs to know of an app. */
const USEFUL = new Set([".py", ".toml", ".md", ".html", ".js", ".css"]);

/**
 * Reads files for a model to look at; of a folder, its texts.
 * @throws WorkbenchError `bad-request` for a file that cannot be read or when they are too long together, `edit-refused`
 *   for one that is not text, `control-token`
 */
export async function readReferenceFiles(paths: readonly string[], cwd: string): Promise<ReferenceFile[]> {
  const files = (await Promise.all(paths.map((path) => filesAt(resolve(cwd, path))))).flat();
  const read = await Promise.all(
    files.map(async (file) => ({ name: relative(cwd, file), text: textForModel((await readSource(file)).text) })),
  );
  const length = read.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MAX_CHARACTERS) {
    const what = `${read.length} files have ${length} characters; a model gets at most ${MAX_CHARACTERS}.`;
    throw new WorkbenchError("bad-request", `${what} Name fewer files with --context.`);
  }
  for (const { name, text } of read) refuseControlTokens(text, name);
  return read;
}

async function filesAt(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") return null;
    throw new WorkbenchError("bad-request", `${path} cannot be read (${error.code}).`, { cause: error });
  });
  if (entries === null) return [path];
  const own = entries.filter(
    ({ name }) => !/^[._]|egg-info$|^(node_modules|build|dist|venv)$/.test(name) || name === "__init__.py",
  );
  const below = own.map(async (entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return filesAt(inside);
    return entry.isFile() && USEFUL.has(extname(entry.name)) ? [inside] : [];
  });
  return (await Promise.all(below)).flat().sort();
}

/** Reference files as a part of an instruction or a question; "" without any. */
export function referenceText(files: readonly ReferenceFile[]): string {
  if (files.length === 0) return "";
  const blocks = files.map(({ name, text }) => `${name}:\n${fenced(languageOf(name), text)}`);
  return `These files are for reference, do not change them.\n\n${blocks.join("\n\n")}`;
}
