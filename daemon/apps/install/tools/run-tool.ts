import { once } from "node:events";
import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { cancelSignalOption, loadExeca } from "../../../../common/machine/load-execa.ts";
import { endProcesses } from "../../../../common/machine/process-tree.ts";
import { withSubreaper } from "../../../../common/machine/subreaper.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { type Command, RUN_ID_VARIABLE, runTree } from "../../start/app-command.ts";
import { readLines } from "../../watch/output.ts";
import { ToolOutput } from "./tool-output.ts";

/**
 * Milliseconds from SIGINT, on which pip and uv clean up, to SIGKILL. Longer than the subreaper's own time to end all
 * processes: killed before that, it could not end those that left the tool.
 */
const GRACE_MS = 30_000;

/** Bytes at the end of a log that are read: all of it, unless something else writes to it. */
const MAX_LOG_BYTES = 4_000_000;

/** Before each line of pip's log. */
const TIMESTAMP = /^[\d-]+T[\d:,]+ +/;

/** A tool and the limits of its run. */
export interface Tool extends Command {
  /** What messages call it; default: the program and its first arguments. */
  name?: string;
  /** A Python that runs the subreaper. */
  python: string;
  /** Identifies its processes; see `installRunId`. */
  runId: string;
  /** When to end it if it is still running. */
  timeoutMs: number;
  /** A file in which the tool writes more than it prints. Deleted first, and read when the tool fails. */
  log?: string | undefined;
}

export interface ToolRun {
  clock: Clock;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** Called with each line that the tool prints. */
  onLine(line: string): void;
}

/** What messages call a command: its program and what that is to do. */
export const commandName = ({ file, args }: Command): string => [path.basename(file), ...args.slice(0, 2)].join(" ");

/**
 * Runs a tool to its end. No process that descends from it is left, also when it is cancelled or late. Without a
 * subreaper (not on Linux), processes are found by their group only, or by the run id in their environment.
 * @throws WorkbenchError as `ToolOutput.toError` when it fails, `deadline-passed`; the signal's reason
 */
export async function runTool(
  { file, args, cwd, env, python, runId, timeoutMs, log, name = commandName({ file, args, cwd, env }) }: Tool,
  { clock, signal, onLine }: ToolRun,
): Promise<void> {
  signal?.throwIfAborted();
  if (log !== undefined) await rm(log, { recursive: true, force: true });
  const output = new ToolOutput();
  const onOutput = (line: string) => {
    output.push(line);
    onLine(line);
  };
  const [program = file, ...all] = withSubreaper(python, [file, ...args]);
  const execa = await loadExeca();
  const subprocess = execa(program, all, {
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
    ...cancelSignalOption(signal),
  });
  const read = Promise.all([readLines(subprocess.stdout, onOutput), readLines(subprocess.stderr, onOutput)]);
  if (subprocess.pid !== undefined) {
    // The exit of the tool counts, not the end of its output: a process that it leaves behind may hold its pipes.
    await once(subprocess, "exit");
    await endProcesses(runTree(subprocess.pid, runId), clock);
    subprocess.stdout.destroy();
    subprocess.stderr.destroy();
  }
  const [result] = await Promise.all([subprocess, read]);

  signal?.throwIfAborted();
  if (result.timedOut) {
    throw new WorkbenchError("deadline-passed", `${name} was ended after ${Math.round(timeoutMs / 60_000)} minutes.`);
  }
  if (subprocess.pid === undefined) {
    throw new WorkbenchError("install-failed", `${program} does not start: ${result.originalMessage}`, {
      cause: result,
    });
  }
  if (result.exitCode !== 0) {
    for (const line of log === undefined ? [] : await lastLinesOf(log)) output.pushLogged(line.replace(TIMESTAMP, ""));
    throw output.toError(`${name} ended with ${result.signal ?? result.exitCode}`);
  }
}

/**
 * The last lines of a log; none where it is no file: the build of an app may have put a link, a pipe or anything else in
 * its place.
 */
async function lastLinesOf(log: string): Promise<string[]> {
  const file = await open(log, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  try {
    const state = await file?.stat();
    if (file === null || !state?.isFile()) return [];
    const length = Math.min(state.size, MAX_LOG_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, state.size - length);
    return buffer.toString("utf8", 0, bytesRead).split("\n");
  } finally {
    await file?.close();
  }
}
