import { Worker } from "node:worker_threads";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { RobotOptions } from "../robot.ts";
import type { MessageFromRobot, Speed } from "./messages.ts";
import { SimLink } from "./sim-link.ts";

/** Start data of the worker. */
export interface WorkerData extends RobotOptions {
  readonly speed: Speed;
}

interface WorkerLinkOptions extends RobotOptions {
  /** The compiled `sim/link/worker.js`. */
  readonly workerUrl: URL;
  /** Factor to real time, or as fast as possible. Default 1. */
  readonly speed?: Speed;
  /** Cancels waiting for the robot. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for loading the engine on a busy machine. */
const START_DEADLINE_MS = 30_000;
/** Megabytes. The robot creates little garbage, and a small young generation keeps the process small. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/**
 * Creates a simulated robot in a worker thread that runs at `speed` times real time.
 * @throws WorkbenchError `robot-not-ready` when it cannot start, `deadline-passed` when it does not within 30 s; the signal's
 *   reason
 */
export async function createWorkerLink({
  workerUrl,
  signal,
  speed = 1,
  ...options
}: WorkerLinkOptions): Promise<SimLink> {
  const data: WorkerData = { ...options, speed };
  const worker = new Worker(workerUrl, { workerData: data, resourceLimits: RESOURCE_LIMITS, name: "simulated robot" });
  const link = new SimLink({
    post: (message) => worker.postMessage(message),
    close: async () => void (await worker.terminate()),
  });
  worker.on("message", (message: MessageFromRobot) => link.receive(message));
  worker.on("error", (error) => link.end(stoppedError(error)));
  worker.on("exit", () => link.end(stoppedError()));
  try {
    await waitUntilReady(worker, link, signal);
  } catch (error) {
    await link.close();
    throw error;
  }
  return link;
}

function waitUntilReady(worker: Worker, link: SimLink, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => settle(new WorkbenchError("deadline-passed", lateMessage)), START_DEADLINE_MS);
    const settle = (error?: unknown) => {
      clearTimeout(deadline);
      worker.off("message", onMessage);
      signal?.removeEventListener("abort", abort);
      unsubscribe();
      if (error === undefined) resolve();
      else reject(error);
    };
    const abort = () => settle(signal?.reason);
    const unsubscribe = link.onClose((reason) => settle(reason ?? stoppedError()));
    const onMessage = (message: MessageFromRobot) => {
      if (message.kind === "ready") settle();
    };
    worker.on("message", onMessage);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}

const lateMessage = `The simulated robot did not start within ${START_DEADLINE_MS / 1000} s; is the machine overloaded?`;

function stoppedError(cause?: Error): WorkbenchError {
  const why = cause === undefined ? "" : `: ${cause.message}`;
  return new WorkbenchError("robot-not-ready", `The simulated robot's thread stopped${why}`, { cause });
}
