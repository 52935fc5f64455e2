import { Worker } from "node:worker_threads";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { RobotOptions } from "../robot.ts";
import type { FromRobot, Speed } from "./messages.ts";
import { SimLink } from "./sim-link.ts";

/** What the worker is told at its start. */
export interface WorkerData extends RobotOptions {
  readonly speed: Speed;
}

export interface WorkerLinkOptions extends RobotOptions {
  /** The compiled `sim/link/worker.js`. */
  readonly workerUrl: URL;
  /** Times real time, or as fast as it can. 1 when absent. */
  readonly speed?: Speed;
  /** Gives up waiting for the robot to be plugged in. */
  readonly signal?: AbortSignal;
}

/** Milliseconds that loading the engine may take on a busy machine. */
const START_DEADLINE = 30_000;
/** Megabytes; the robot leaves little garbage, and a small young generation keeps the process small. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/**
 * A simulated robot in a thread of its own, living by the real clock.
 * @throws WorkbenchError `robot-not-ready` when it cannot start, `deadline-passed` when it does not within 30 s
 */
export async function createWorkerLink({
  workerUrl,
  signal,
  speed = 1,
  ...options
}: WorkerLinkOptions): Promise<SimLink> {
  const data: WorkerData = { ...options, speed };
  const worker = new Worker(workerUrl, { workerData: data, resourceLimits: MEMORY, name: "simulated robot" });
  const link = new SimLink({
    post: (message) => worker.postMessage(message),
    close: async () => void (await worker.terminate()),
  });
  worker.on("message", (message: FromRobot) => link.receive(message));
  worker.on("error", (error) => link.end(stopped(error)));
  worker.on("exit", () => link.end(stopped()));
  try {
    await ready(worker, link, signal);
  } catch (error) {
    await link.close();
    throw error;
  }
  return link;
}

function ready(worker: Worker, link: SimLink, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => settle(new WorkbenchError("deadline-passed", late)), START_DEADLINE);
    const settle = (error?: unknown) => {
      clearTimeout(deadline);
      worker.off("message", hear);
      signal?.removeEventListener("abort", abort);
      unsubscribe();
      if (error === undefined) resolve();
      else reject(error);
    };
    const abort = () => settle(signal?.reason);
    const unsubscribe = link.onClose((reason) => settle(reason ?? stopped()));
    const hear = (message: FromRobot) => {
      if (message.kind === "ready") settle();
    };
    worker.on("message", hear);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}

const late = `The simulated robot was not plugged in within ${START_DEADLINE / 1000} s; is the machine overloaded?`;

const stopped = (cause?: unknown) =>
  new WorkbenchError("robot-not-ready", "The simulated robot's thread stopped; restart the daemon.", { cause });
