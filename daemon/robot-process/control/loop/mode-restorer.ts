import { type Clock, sleep } from "../../../../common/time/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { StatusReporter } from "./status-reporter.ts";
import type { TorqueChanges } from "./torque-changes.ts";
import type { WorkQueue } from "./work-queue.ts";

/** How often a mode is restored while servos do not answer, and the milliseconds between two attempts. */
const ATTEMPTS = 60;
const PAUSE_MS = 1000;

interface ModeRestorerOptions {
  readonly clock: Clock;
  readonly status: StatusReporter;
  readonly work: WorkQueue<ConnectedRobot>;
  readonly torque: TorqueChanges;
}

/**
 * Restores the motor mode when the robot is connected again: torque that was lost comes back, and torque that could not be taken
 * before the link was lost is taken.
 */
export class ModeRestorer {
  readonly #options: ModeRestorerOptions;
  /** Null while it is not known: a robot that nobody has moved yet may be standing, and would fall without torque. */
  #mode: MotorMode | null;
  #connection = new AbortController();

  /** @param previous the mode before the process before this one was lost */
  constructor(options: ModeRestorerOptions, previous: MotorMode) {
    this.#options = options;
    this.#mode = previous === "disabled" ? null : previous;
  }

  /** Call when the robot was lost, with the mode that it had. */
  onDisconnected(mode: MotorMode): void {
    this.#mode = mode;
    this.#connection.abort();
  }

  /** Call when the robot is connected. Tries for a minute, until somebody else changes the torque or the robot is lost again. */
  async onConnected(): Promise<void> {
    const { clock, status, work, torque } = this.#options;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    for (let attempt = 1; ; attempt++) {
      const problem = await work
        .add((robot) => this.#restore(robot))
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      if (!(problem instanceof WorkbenchError) || problem.code !== "robot-not-ready" || signal.aborted) return;
      const why = `The motor mode is not ${this.#mode} again: ${problem.message}`;
      if (attempt === ATTEMPTS) return status.emit("fault", "error", `${why} Set it again when the servos answer.`);
      if (attempt === 1) status.emit("fault", "warning", `${why} The daemon tries again.`);
      const { count } = torque;
      await sleep(clock, PAUSE_MS, signal);
      if (signal.aborted || torque.count !== count) return;
    }
  }

  async #restore(robot: ConnectedRobot): Promise<void> {
    const { torque } = this.#options;
    if (this.#mode === "enabled") await torque.enableMotors(robot);
    if (this.#mode === "disabled" && robot.motors.mode !== "disabled")
      await torque.change(robot, () => robot.motors.disable());
  }
}
