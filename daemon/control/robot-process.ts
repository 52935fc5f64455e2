import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type Clock, sleep } from "../clock.ts";
import { RobotClient } from "./client.ts";
import type { Before } from "./engine.ts";
import type { Channel, Report, Request } from "./messages.ts";
import type { RobotState } from "./robot.ts";

/** What does not change from one process of a robot to the next. */
export interface ProcessOptions {
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
  clock: Clock;
}

export interface ProcessPlace {
  /** What the robot is brought back to. */
  before: Before;
  /** As it was last known. */
  state: RobotState;
  /** As `ClientOptions` has it. */
  onLost(how: string): string;
}

/** Milliseconds until the robot must have said how it is: starting the physics on a busy machine takes seconds. */
const START_MS = 30_000;
/** Milliseconds that the process may take to end after it has closed the robot. */
const EXIT_MS = 2000;

/** A robot in a process of its own. Closing the robot also waits for its process. */
export class RobotProcess extends RobotClient {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  readonly #clock: Clock;
  readonly #link: string;

  constructor({ entry, link, atClose = "sleep", seed = 1, env, clock }: ProcessOptions, place: ProcessPlace) {
    const { motorMode, awake } = place.before;
    const before = ["--mode-before", motorMode, ...(awake ? ["--awake-before"] : [])];
    const child = fork(entry, ["--link", link, "--at-close", atClose, "--seed", String(seed), ...before], {
      execArgv: [],
      ...(env === undefined ? {} : { env }),
      serialization: "advanced",
    });
    const channel = channelTo(child);
    super({ channel, state: place.state, simulated: link === "sim", onLost: place.onLost });
    this.#child = child;
    this.#ended = new Promise((resolve) => channel.onClose(resolve));
    this.#clock = clock;
    this.#link = link;
  }

  /**
   * Settles when the robot is running. One of metal may also say why it is not (`state.phase` is then `error`) and goes
   * on trying; a simulated one always comes up.
   *
   * @throws WorkbenchError `robot-not-ready` when the process ends or takes too long; it is then ended
   */
  async ready(signal: AbortSignal): Promise<void> {
    const phases: readonly RobotState["phase"][] = this.#link === "sim" ? ["running"] : ["running", "error"];
    const told = new AbortController();
    const unsubscribe = this.onState(({ phase }) => {
      if (phases.includes(phase)) told.abort();
    });
    const why = await Promise.race([
      this.#ended,
      sleep(this.#clock, START_MS, AbortSignal.any([told.signal, signal])).then(() =>
        signal.aborted
          ? "The start of the robot was called off."
          : `The robot did not get ready within ${START_MS / 1000} s.`,
      ),
    ]);
    unsubscribe();
    if (told.signal.aborted) return;
    told.abort();
    this.kill();
    throw new WorkbenchError("robot-not-ready", why);
  }

  /** Ends the process at once, whatever the robot does. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  override async close(): Promise<void> {
    if (hasEnded(this.#child)) return;
    const exit = once(this.#child, "exit");
    try {
      await super.close();
    } finally {
      const timer = setTimeout(() => this.kill(), EXIT_MS);
      if (!hasEnded(this.#child)) await exit;
      clearTimeout(timer);
    }
  }
}

/** A process that could not be started has no id. */
const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

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
        listener(`The robot's process has ended (${signal ?? `exit code ${code}`}).`);
      const failed = (error: Error): void => listener(`The robot's process could not be started: ${error.message}.`);
      child.once("exit", ended).once("error", failed);
      return () => child.off("exit", ended).off("error", failed);
    },
  };
}
