import { cancelSignalOption, loadExeca } from "../../../common/machine/load-execa.ts";
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
