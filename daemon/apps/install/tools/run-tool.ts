import { once } from "node:events";
import path from "node:path";
import { execa } from "execa";
import type { Clock } from "../../../../common/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { type Command, RUN_ID_VARIABLE } from "../../start/app-command.ts";
import { endRemaining } from "../../stop/end-remaining.ts";
import { readLines } from "../../watch/output.ts";
import { ToolOutput } from "./tool-output.ts";

/** pip and uv clean up on SIGINT; SIGKILL follows after this time. */
const GRACE_MS = 2000;

export interface ToolRun {
  clock: Clock;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** Called with each line that the tool prints. */
  onLine(line: string): void;
}

/**
 * Runs a tool to its end. No process that it started is left, also when it is cancelled or late.
 * @param runId identifies its processes; see `installRunId`
 * @param timeoutMs when to end a tool that is still running
 * @throws WorkbenchError as `ToolOutput.toError` when it fails, `deadline-passed`; the signal's reason
 */
export async function runTool(
  { file, args, cwd, env }: Command,
  runId: string,
  timeoutMs: number,
  { clock, signal, onLine }: ToolRun,
): Promise<void> {
  signal?.throwIfAborted();
  const output = new ToolOutput();
  const onOutput = (line: string) => {
    output.push(line);
    onLine(line);
  };
  const subprocess = execa(file, args, {
    cwd,
    env: { ...env, [RUN_ID_VARIABLE]: runId },
    extendEnv: false,
    // A process group of its own: a Ctrl-C in the terminal reaches the daemon only, which then ends the tool.
    detached: true,
    stdin: "ignore",
    buffer: false,
    reject: false,
    timeout: timeoutMs,
    killSignal: "SIGINT",
    forceKillAfterDelay: GRACE_MS,
    ...(signal && { cancelSignal: signal }),
  });
  const read = Promise.all([readLines(subprocess.stdout, onOutput), readLines(subprocess.stderr, onOutput)]);
  if (subprocess.pid !== undefined) {
    // The exit of the tool counts, not the end of its output: a process that it leaves behind may hold its pipes.
    await once(subprocess, "exit");
    await endRemaining({ group: subprocess.pid, runId }, clock);
    subprocess.stdout.destroy();
    subprocess.stderr.destroy();
  }
  const [result] = await Promise.all([subprocess, read]);

  signal?.throwIfAborted();
  const name = path.basename(file);
  if (result.timedOut) {
    throw new WorkbenchError("deadline-passed", `${name} was ended after ${Math.round(timeoutMs / 60_000)} minutes.`);
  }
  if (subprocess.pid === undefined) {
    throw new WorkbenchError("install-failed", `${file} does not start: ${result.originalMessage}`, { cause: result });
  }
  if (result.exitCode !== 0) {
    throw output.toError(`${name} ${args.slice(0, 2).join(" ")} ended with ${result.signal ?? result.exitCode}`);
  }
}
