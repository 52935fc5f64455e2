import type { ChildProcess } from "node:child_process";

/** Milliseconds from the exit of a process until what it printed last is no longer waited for: another one may hold its pipes. */
const OUTPUT_MS = 500;

/**
 * A signal that aborts when a child process ends or does not start, for waits that need it to run.
 * @param name of the program, for the reason
 * @param output what it has printed so far
 * @returns aborted with an Error that has the exit code or the signal, and the output
 */
export function abortOnExit(child: ChildProcess, name: string, output: () => string): AbortSignal {
  const exit = new AbortController();
  const abort = () => {
    exit.abort(new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${output()}`));
  };
  child.once("error", (error) => exit.abort(error));
  child.once("close", abort);
  child.once("exit", () => setTimeout(abort, OUTPUT_MS).unref());
  return exit.signal;
}
