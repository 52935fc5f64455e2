import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { endProcesses } from "../../common/machine/process-tree.ts";
import type { Clock } from "../../common/time/clock.ts";
import type { Failure } from "./failure.ts";
import { type CertifyLimits, memoryLimitMessage, watchTree } from "./limits.ts";
import type { CertifyAnswer, CertifyMessage, CertifyProgress, CertifyTask, CertifyVerdict } from "./messages.ts";

const PROGRAM = join(PACKAGE_FOLDER, "dist/programs/certification/main.js");
/** It ends what it has started itself; after the first time, it is killed with what is left. */
const END_STEPS = [
  { signal: "SIGTERM", waitMs: 12_000, rootOnly: true },
  { signal: "SIGKILL", waitMs: 5000 },
] as const;
/** Characters of its output that are kept as evidence. */
const KEPT_OUTPUT = 4000;
/** The cost of a certification that did not start. */
const NO_COST = { seconds: 0, cpuSeconds: 0, memoryBytes: 0 };

interface CertifyOptions extends CertifyLimits {
  task: CertifyTask;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Cancels it; everything that it has started is ended. */
  signal: AbortSignal;
  onProgress?: (progress: CertifyProgress) => void;
  /** Whether other processes come first when the processors are busy. */
  yieldsProcessors?: boolean;
}

/** What a certification gave, and what it cost. */
export type CertificationResult = (CertifyVerdict | { kind: "failure"; failure: Failure }) & {
  seconds: number;
  cpuSeconds: number;
  memoryBytes: number;
};

/**
 * Certifies an app in a process of its own, within limits. Whatever the app does, this process goes on; when this process
 * is killed, the other one ends by itself.
 * @throws the signal's reason; Error when the process table cannot be read
 */
export async function certifyInChildProcess({
  task,
  env,
  clock,
  signal,
  onProgress,
  yieldsProcessors = false,
  ...limits
}: CertifyOptions): Promise<CertificationResult> {
  signal.throwIfAborted();
  const startedAt = clock.now();
  const started = await startProcess(env);
  if (started instanceof Error) {
    const message = `the process of the certification could not be started: ${started.message}`;
    return { kind: "failure", failure: { kind: "harness", message, output: "" }, ...NO_COST };
  }
  const { child, pid } = started;
  if (yieldsProcessors) lowerPriority(pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
    });
  const answers: CertifyAnswer[] = [];
  child.on("message", (message: CertifyMessage) => {
    if (message.kind === "progress") onProgress?.(message);
    else answers.push(message);
  });
  child.on("error", (error) => {
    output += error.message;
  });
  const exit = once(child, "exit").catch((error: Error) => [error.message, null] as const);
  const watch = watchTree(pid, clock, limits);
  const end = new AbortController();
  const cancelled = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true, signal: end.signal });
  });
  try {
    child.send(task, () => {});
    await Promise.race([exit, watch.exceeded, cancelled]);
  } finally {
    end.abort();
    watch.close();
    if (child.exitCode === null && child.signalCode === null)
      await endProcesses({ root: pid, group: pid }, clock, END_STEPS);
  }
  signal.throwIfAborted();
  const [code, killedBy] = await exit;
  const [answer] = answers;
  const cost = {
    seconds: (clock.now() - startedAt) / 1000,
    cpuSeconds: Math.max(answer?.cpuSeconds ?? 0, watch.cpuSeconds()),
    // The process may have come to its end between two looks at its memory.
    memoryBytes: Math.max(answer?.memoryBytes ?? 0, watch.memoryBytes()),
  };
  const failed = (kind: Failure["kind"], message: string): CertificationResult => {
    return { kind: "failure", failure: { kind, message, output }, ...cost };
  };
  const limit = watch.reason();
  if (limit !== null) return failed(limit.kind, limit.message);
  if (cost.memoryBytes > limits.memoryBytes)
    return failed("memory", memoryLimitMessage(cost.memoryBytes, limits.memoryBytes));
  if (answer === undefined) return failed("crash", `the process of the certification ended with ${killedBy ?? code}`);
  if (answer.kind === "harness-error") return failed("harness", answer.message);
  return { ...answer, ...cost };
}

/** Lowers the priority of a process, and of those that it starts from now on; nothing when it has ended. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException & { info?: { code?: string } }).info?.code !== "ESRCH") throw error;
  }
}

/** Starts the process of a certification; an error when this machine has no process or file descriptor left for it. */
async function startProcess(env: CertifyOptions["env"]): Promise<{ child: ChildProcess; pid: number } | Error> {
  try {
    // A process group of its own: Ctrl-C in the terminal reaches this process only, which then ends the other one.
    const child = fork(PROGRAM, [], { env, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true, execArgv: [] });
    const { pid } = child;
    if (pid !== undefined) return { child, pid };
    const [error] = (await once(child, "error")) as [Error];
    return error;
  } catch (error) {
    return error as Error;
  }
}
