import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { CallMessage } from "../messages.ts";
import type { TorqueState } from "../torque-state.ts";

/** What is used of a process that was forked. */
export type RobotChildProcess = Pick<ChildProcess, "pid" | "connected" | "kill" | "send" | "on" | "once">;

export interface RobotProcessOptions {
  /** The compiled `programs/robot-process/main.js`. */
  entry: URL;
  /** `sim`, `serial` (found by its USB id), `serial:PATH` or `tcp://HOST:PORT`. */
  link: string;
  /** What closing does with a robot that is awake. Default `sleep`. */
  atClose?: "sleep" | "stay";
  /** Whether a simulated robot has the wireless robot's inertial sensor. Default false. */
  inertialSensor?: boolean;
  /** V of a simulated robot's power supply; the simulator's default when absent. */
  supply?: number;
  /** Of the simulation. Default 1. */
  seed?: number;
  /** Of the process; the daemon's own when absent. */
  env?: NodeJS.ProcessEnv;
  /** The Node.js program; the one of this process when absent. */
  execPath?: string;
  /** Milliseconds without a message after which the process is killed and replaced. Default 3000. */
  watchdogMs?: number;
  clock: Clock;
  /** Starts the process. Default: forks `entry`. */
  start?: typeof forkRobotProcess;
}

/** What a process that replaces a lost one brings the robot back to: held where it is, if its motors were on. */
export interface PreviousState extends Pick<RobotState, "awake"> {
  /** The torque that was wanted; null when it is not known. */
  readonly torque: TorqueState | null;
  /** Whether the robot owes a return to its default pose. Default false. */
  readonly isReturnOwed?: boolean;
  /** Process group of the app that moves the robot. Default: none. */
  readonly appGroup?: { readonly pid: number } | null;
}

/** Milliseconds that the process may take to end after it has closed the robot. */
const EXIT_MS = 2000;
/** Milliseconds after its end in which what it has sent before must arrive. */
const LAST_MESSAGES_MS = 1000;

/** One robot process, from its start to its end. */
export class RobotProcess {
  /** Resolves when the process has ended or could not be started, with a sentence that says how. */
  readonly ended: Promise<string>;
  readonly #child: RobotChildProcess | undefined;
  readonly #clock: Clock;
  #killedWhy: string | undefined;

  /** Starts the process. One that cannot be started counts as one that has ended. */
  constructor(options: RobotProcessOptions, previous: PreviousState, onMessage: (message: unknown) => void) {
    this.#clock = options.clock;
    try {
      const { start = forkRobotProcess } = options;
      this.#child = start(options, previous);
    } catch (error) {
      this.ended = Promise.resolve(couldNotStart(error));
      return;
    }
    this.#child.on("message", onMessage);
    // A late error, as of a signal that cannot be sent, must not end this process; `ended` reports the first one.
    this.#child.on("error", () => undefined);
    this.ended = endOf(this.#child, options.clock).then((how) => this.#killedWhy ?? how);
  }

  /** Sends a message. Does nothing when the process has ended, which `ended` reports. */
  send(message: CallMessage): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  /** Whether there is, or was, a process. */
  get wasStarted(): boolean {
    return this.#child?.pid !== undefined;
  }

  /**
   * Ends the process immediately, whatever the robot does.
   *
   * @param why the sentence that `ended` resolves with
   */
  kill(why: string): void {
    this.#killedWhy ??= why;
    this.#child?.kill("SIGKILL");
  }

  /** Waits until the process has ended; one that does not end within 2 s is killed. */
  async awaitExit(): Promise<void> {
    const late = `The robot's process did not end within ${EXIT_MS / 1000} s and was killed.`;
    const cancelTimer = this.#clock.after(EXIT_MS, () => this.kill(late));
    await this.ended;
    cancelTimer();
  }
}

function forkRobotProcess(
  { entry, link, inertialSensor = false, supply, atClose = "sleep", seed = 1, env, execPath }: RobotProcessOptions,
  previous: PreviousState,
): RobotChildProcess {
  const torque = previous.torque === null ? [] : ["--torque", JSON.stringify(previous.torque)];
  const awake = previous.awake ? ["--was-awake"] : [];
  const sensor = inertialSensor ? ["--inertial-sensor"] : [];
  const volts = supply === undefined ? [] : ["--supply", String(supply)];
  const owed = previous.isReturnOwed ? ["--return-owed"] : [];
  const group = previous.appGroup ? ["--app-group", String(previous.appGroup.pid)] : [];
  const state = [...torque, ...awake, ...owed, ...group];
  return fork(entry, ["--link", link, "--at-close", atClose, "--seed", String(seed), ...sensor, ...volts, ...state], {
    execArgv: [],
    ...(env === undefined ? {} : { env }),
    ...(execPath === undefined ? {} : { execPath }),
    serialization: "advanced",
    // In a session of its own, with which Linux shares the processor as with all other programs of the daemon together.
    detached: true,
  });
}

/** Node.js reports the end of a process also before what it has sent: a robot that was put to sleep must not count as lost. */
async function endOf(child: RobotChildProcess, clock: Clock): Promise<string> {
  try {
    const [code, signal] = await once(child as ChildProcess, "exit");
    if (child.connected) {
      const isDisconnected = new AbortController();
      child.once("disconnect", () => isDisconnected.abort());
      await sleep(clock, LAST_MESSAGES_MS, isDisconnected.signal);
    }
    return `The robot's process has ended (${signal ?? `exit code ${code}`}).`;
  } catch (error) {
    return couldNotStart(error);
  }
}

const couldNotStart = (error: unknown): string =>
  `The robot's process could not be started: ${error instanceof Error ? error.message : error}.`;
