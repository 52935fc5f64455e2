import { readdir } from "node:fs/promises";
import { extname, join, relative, resolve } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readSource, textForModel } from "../apply/file.ts";
import { fencedBlock } from "../formats/fence.ts";
import { languageOfFile } from "../formats/language-name.ts";

/** A file that a model reads and does not change. */
interface ReferenceFile {
  /** Path from the working directory. */
  name: string;
  text: string;
}

/** Maximum length of all reference files together; a token has about three characters. */
const MAX_CHARACTERS = 60_000;
/** Kinds of files that explain an app to a model. */
const EXTENSIONS = new Set([".py", ".toml", ".md", ".html", ".js", ".css"]);

/**
 * Reads files for a model to look at; of a folder, the source files and documents below it.
 * @throws WorkbenchError `bad-request` for a file that cannot be read or when they are too long together, `edit-refused`
 *   for one that is not text
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
  return read;
}

/** The file at a path, or the files below a folder. */
async function filesAt(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") return null;
    throw new WorkbenchError("bad-request", `${path} cannot be read (${error.code}).`, { cause: error });
  });
  if (entries === null) return [path];
  const files = entries.filter(isOfAuthor).map(async (entry) => {
    const file = join(path, entry.name);
    if (entry.isDirectory()) return filesAt(file);
    return entry.isFile() && EXTENSIONS.has(extname(entry.name)) ? [file] : [];
  });
  return (await Promise.all(files)).flat().sort();
}

/** Names of hidden files and folders, and of those that tools make. */
export const GENERATED = /^\.|egg-info$|^(?:__pycache__|node_modules|build|dist|venv)$/i;

const isOfAuthor = ({ name }: { name: string }): boolean =>
  name === "__init__.py" || !(name.startsWith("_") || GENERATED.test(name));

/** Reference files as a part of an instruction or a question; "" without any. */
export function referenceText(files: readonly ReferenceFile[]): string {
  if (files.length === 0) return "";
  const blocks = files.map(({ name, text }) => `${name}:\n${fencedBlock(languageOfFile(name), text)}`);
  return `These files are for reference, do not change them.\n\n${blocks.join("\n\n")}`;
}
