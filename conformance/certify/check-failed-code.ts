import { type ErrorCode, WorkbenchError } from "../../robot/wire/errors.ts";

/** Errors that say what to do next: mistakes of the user, and servers that do not answer. */
const UNCHANGED: readonly ErrorCode[] = ["usage", "bad-request", "check-failed", "hub-unreachable", "hub-token"];

/**
 * Runs the work of a command that certifies apps. An error of the machine, the Python environment or the store says nothing
 * about the apps, so it becomes `check-failed`.
 * @param what begins the message, as `The catalogue could not be certified`
 * @throws WorkbenchError `check-failed`, or as the work does for `usage`, `bad-request` and a hub that does not answer; the
 *   signal's reason
 */
export async function withCheckFailedCode<Result>(
  what: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || (error instanceof WorkbenchError && UNCHANGED.includes(error.code))) throw error;
    throw new WorkbenchError("check-failed", `${what}: ${(error as Error).message}`, { cause: error });
  }
}
