import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { RobotClient } from "./client.ts";
import type { Channel, Report, Request } from "./messages.ts";
import type { Robot, RobotState } from "./robot.ts";

export interface ForkOptions {
  /** The compiled `daemon/control/main.js`. */
  entry: URL;
  /** `sim`, `serial` (found by its USB id), `serial:PATH` or `tcp://HOST:PORT`. */
  link: string;
  /** What closing does with a robot that is awake. Default `sleep`. */
  atClose?: "sleep" | "stay";
  /** Of the simulation. Default 1. */
  seed?: number;
  /** Of the process; the daemon's own when absent. */
  env?: NodeJS.ProcessEnv;
  /** Gives up waiting for the robot's first word. */
  signal?: AbortSignal;
}

/** Milliseconds until the robot must have said how it is: starting the physics on a busy machine takes seconds. */
const START_MS = 30_000;
/** Milliseconds that the process may take to end after it has closed the robot. */
const EXIT_MS = 2000;

/**
 * Starts the robot's process and waits until the robot is running. A robot of metal may also say why it is not
 * (`state.phase` is then `error`) and goes on trying; a simulated one always comes up.
 *
 * @throws WorkbenchError `robot-not-ready` when the process ends or takes too long
 */
export async function forkRobot(options: ForkOptions): Promise<Robot> {
  const { entry, link, atClose = "sleep", seed = 1, env, signal } = options;
  const child = fork(entry, ["--link", link, "--at-close", atClose, "--seed", String(seed)], {
    execArgv: [],
    ...(env === undefined ? {} : { env }),
    serialization: "advanced",
  });
  const channel = channelTo(child);
  try {
    const first = await firstState(channel, link === "sim" ? ["running"] : ["running", "error"], signal);
    return new ForkedRobot(child, channel, first, link === "sim");
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/** Closing the robot also waits for its process. */
class ForkedRobot extends RobotClient {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, channel: Channel<Report, Request>, state: RobotState, simulated: boolean) {
    super(channel, state, simulated);
    this.#child = child;
  }

  override async close(): Promise<void> {
    if (hasEnded(this.#child)) return;
    const exit = once(this.#child, "exit");
    try {
      await super.close();
    } finally {
      const timer = setTimeout(() => this.#child.kill("SIGKILL"), EXIT_MS);
      if (!hasEnded(this.#child)) await exit;
      clearTimeout(timer);
    }
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function channelTo(child: ChildProcess): Channel<Report, Request> {
  return {
    send: (request) => {
      // A child that is gone is noticed by its exit.
      if (child.connected) child.send(request, () => undefined);
    },
    onMessage: (listener) => {
      child.on("message", listener as (message: unknown) => void);
      return () => child.off("message", listener as (message: unknown) => void);
    },
    onClose: (listener) => {
      const ended = (code: number | null, signal: string | null): void =>
        listener(
          `The robot's process has ended (${signal ?? `exit code ${code}`}). Restart the daemon: POST /api/daemon/restart, or Ctrl-C and start it again.`,
        );
      const failed = (error: Error): void => listener(`The robot's process could not be started: ${error.message}`);
      child.once("exit", ended).once("error", failed);
      return () => child.off("exit", ended).off("error", failed);
    },
  };
}

/** The first state in one of these phases. */
function firstState(
  channel: Channel<Report, Request>,
  phases: readonly RobotState["phase"][],
  signal: AbortSignal | undefined,
): Promise<RobotState> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
    const fail = (detail: string): void => {
      done();
      reject(new WorkbenchError("robot-not-ready", detail));
    };
    const aborted = (): void => fail("The start of the robot was called off.");
    const timer = setTimeout(fail, START_MS, `The robot did not get ready within ${START_MS / 1000} s.`);
    const unsubscribes = [
      channel.onClose(fail),
      channel.onMessage((report) => {
        if (report.kind !== "state" || !phases.includes(report.state.phase)) return;
        done();
        resolve(report.state);
      }),
    ];
    signal?.addEventListener("abort", aborted);
    if (signal?.aborted) aborted();
  });
}
