import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { pythonScript } from "../../../../common/machine/python-script.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import { askPython } from "../../start/run-python.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A Python program and its version. */
interface Interpreter {
  file: string;
  version: string;
}

const ADMITTED = pythonScript("admitted_versions.py", import.meta.url);
const INVALID = 3;
const ADMITTED_ANSWER = z.object({ own: z.string(), admitted: z.array(z.string()) });
const DESCRIBE = "import sys; print('%d.%d.%d' % sys.version_info[:3], sys.executable)";

/** Which Python an environment has, and which of some versions (and its own) a specifier admits. */
type MatchingVersions = z.infer<typeof ADMITTED_ANSWER>;

/** Where and how the Python of an environment is asked for its versions. */
interface VersionQueryOptions {
  venv: string;
  env: Environment;
  signal?: AbortSignal | undefined;
}

/**
 * Applies a specifier of Python versions, such as `>=3.12,<3.14`.
 * @returns `"invalid"` for what is no specifier; null when the environment has no pip to ask
 * @throws WorkbenchError `python-missing` when its Python does not answer; the signal's reason
 */
export async function findMatchingVersions(
  specifier: string,
  versions: readonly string[],
  { venv, env, signal }: VersionQueryOptions,
): Promise<MatchingVersions | "invalid" | null> {
  const python = path.join(venv, "bin", "python");
  const result = await askPython(python, ["-I", "-c", ADMITTED, specifier, ...versions], { env, signal });
  if (result.exitCode === INVALID) return "invalid";
  if (result.failed) return null;
  const what = "versions of Python";
  return parseOrThrow(ADMITTED_ANSWER, parseJson(result.stdout, what), what);
}

/** The programs of Python on this machine. */
interface Interpreters {
  /** Those that start; the oldest version first. */
  found: Interpreter[];
  /** Files of those that did not answer: what they are is not known. */
  unanswered: string[];
}

/** Looks for programs of Python on the path and in pyenv. @throws the signal's reason */
export async function interpretersHere(env: Environment, signal?: AbortSignal): Promise<Interpreters> {
  const candidates = [...(await inPath(env.PATH ?? "")), ...(await inPyenv(env))];
  const byVersion = new Map<string, Interpreter>();
  const unanswered: string[] = [];
  // One after the other: there may be dozens, and most do not start.
  for (const file of candidates) {
    const found = await describe(file, env, signal);
    if (found === "unanswered") unanswered.push(file);
    else if (found !== null) byVersion.set(found.version, found);
  }
  const found = [...byVersion.values()].sort((one, other) =>
    one.version.localeCompare(other.version, "en", { numeric: true }),
  );
  return { found, unanswered };
}

async function inPath(variable: string): Promise<string[]> {
  const folders = [...new Set(variable.split(path.delimiter).filter((folder) => path.isAbsolute(folder)))];
  const lists = await Promise.all(folders.map(pythonsIn));
  return lists.flat();
}

async function pythonsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^python3(\.\d+)?$/.test(name)).map((name) => path.join(folder, name));
}

async function inPyenv({ PYENV_ROOT, HOME = "" }: Environment): Promise<string[]> {
  const folder = path.join(PYENV_ROOT ?? path.join(HOME, ".pyenv"), "versions");
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^3\.\d/.test(name)).map((name) => path.join(folder, name, "bin", "python3"));
}

/** Null for a program that does not start, such as a stand-in for a version that is not installed. */
async function describe(
  file: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<Interpreter | "unanswered" | null> {
  const result = await askPython(file, ["-I", "-c", DESCRIBE], { env, signal }).catch((error: unknown) => {
    if (error instanceof WorkbenchError && error !== signal?.reason) return null;
    throw error;
  });
  // Nobody chose this program: one that always hangs would otherwise end each install that asks for another Python.
  if (result === null) return "unanswered";
  const { failed, stdout } = result;
  const [, version, executable] = /^([\d.]+) (.+)$/.exec(stdout ?? "") ?? [];
  return failed || version === undefined || executable === undefined ? null : { file: executable, version };
}
