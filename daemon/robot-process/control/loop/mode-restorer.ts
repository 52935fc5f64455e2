import type { Clock } from "../../../../common/time/clock.ts";
import { problemOf } from "../../../../robot/wire/errors.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import { retryWhileNotReady } from "../../../robot-client/retry-while-not-ready.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { StatusReporter } from "./status-reporter.ts";
import type { TorqueChanges } from "./torque-changes.ts";
import type { WorkQueue } from "./work-queue.ts";

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
  /** Whether the mode is not the robot's again yet, and nobody has wanted another one. */
  #isPending = () => false;

  /** @param previous the mode before the process before this one was lost */
  constructor(options: ModeRestorerOptions, previous: MotorMode) {
    this.#options = options;
    this.#mode = previous === "disabled" ? null : previous;
  }

  /** Call when the robot was lost, with the mode that it had. A robot that is lost once more still gets the mode before that. */
  onDisconnected(mode: MotorMode): void {
    if (!this.#isPending()) this.#mode = mode;
    this.#connection.abort();
  }

  /** Call when the robot is connected. Tries for a minute, until somebody else changes the torque or the robot is lost again. */
  async onConnected(): Promise<void> {
    const { clock, status, work, torque } = this.#options;
    const connection = new AbortController();
    const { signal } = connection;
    this.#connection = connection;
    const notRestored = (why: string) => `The motor mode is not ${this.#mode} again: ${why}`;
    const attempt = () => {
      this.#isPending = () => true;
      return work.add((robot) => this.#restore(robot));
    };
    await retryWhileNotReady(attempt, {
      clock,
      signal,
      onFirstFailure: ({ detail }) => status.emit("fault", "warning", `${notRestored(detail)} The daemon tries again.`),
      watchOthers: () => {
        const { count } = torque;
        this.#isPending = () => torque.count === count;
        return () => !this.#isPending();
      },
    }).catch((error: unknown) =>
      status.emit("fault", "error", `${notRestored(problemOf(error).detail)} Set it again when the cause is mended.`),
    );
    if (!signal.aborted) this.#isPending = () => false;
  }

  async #restore(robot: ConnectedRobot): Promise<void> {
    const { torque } = this.#options;
    if (this.#mode === "enabled") await torque.enableMotors(robot);
    if (this.#mode === "disabled" && robot.motors.mode !== "disabled")
      await torque.change(robot, () => robot.motors.disable());
  }
}
