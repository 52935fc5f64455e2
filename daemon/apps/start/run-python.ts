import { cancelSignalOption, loadExeca, PROGRAM_ANSWER_MS } from "../../../common/machine/load-execa.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { pythonEnvironment } from "./python-environment.ts";

interface RunPythonOptions {
  /** The environment variables of this program. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  /** Bytes of output at most. Default 100,000,000, as execa. */
  maxBuffer?: number;
}

/**
 * Runs a Python interpreter to its end, without variables that lead it elsewhere. A failure is in the result (`failed`).
 * @param python its file
 * @throws the signal's reason
 */
export async function runPython(
  python: string,
  args: readonly string[],
  { env, signal, timeoutMs, maxBuffer }: RunPythonOptions,
) {
  const execa = await loadExeca();
  const result = await execa(python, args, {
    env: pythonEnvironment(env),
    extendEnv: false,
    stdin: "ignore",
    timeout: timeoutMs,
    reject: false,
    ...(maxBuffer !== undefined && { maxBuffer }),
    ...cancelSignalOption(signal),
  });
  signal?.throwIfAborted();
  return result;
}

/** What the system says of a program that is missing or not executable; other codes (EAGAIN, EMFILE) pass. */
const NO_PROGRAM: ReadonlySet<unknown> = new Set(["ENOENT", "EACCES", "ENOEXEC", "ENOTDIR", "ELOOP"]);

/**
 * Runs a Python interpreter that is only asked something. A failure of its own is in the result (`failed`), as is that there
 * is no such program (`code`).
 * @param python its file
 * @param options `timeoutMs`: milliseconds in which it answers, by default a minute
 * @throws WorkbenchError `python-missing` when it does not answer, a signal ends it or the system cannot start it: that is no
 *   answer of a wrong kind
 * @throws the signal's reason
 */
export async function askPython(
  python: string,
  args: readonly string[],
  {
    timeoutMs = PROGRAM_ANSWER_MS,
    ...options
  }: Omit<RunPythonOptions, "timeoutMs"> & { timeoutMs?: number | undefined },
) {
  const result = await runPython(python, args, { ...options, timeoutMs });
  const { timedOut, isMaxBuffer, exitCode, signal, code } = result;
  if (!timedOut && (exitCode !== undefined || isMaxBuffer || NO_PROGRAM.has(code))) return result;
  const ended = signal === undefined ? `could not be started (${code})` : `was ended by ${signal}`;
  const why = timedOut ? `did not answer within ${timeoutMs / 1000} s` : ended;
  const next = "Nothing was changed. Try again when this computer is less busy.";
  throw new WorkbenchError("python-missing", `${python} ${why}. ${next}`);
}
