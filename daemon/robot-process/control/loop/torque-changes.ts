import { problemOf, WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import { retryWhileNotReady } from "../../../robot-client/retry-while-not-ready.ts";
import type { TorqueState } from "../../../robot-client/torque-state.ts";
import { ALL_JOINTS } from "../../hardware/servos.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { ServoFaults } from "./servo-faults.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Data of a motor mode event that no request caused. */
const RESTORED = { restored: true };

interface TorqueChangesOptions extends LoopParts {
  readonly work: WorkQueue<ConnectedRobot>;
  readonly servoFaults: ServoFaults;
  /** Whether a robot is the one that is connected. */
  readonly isConnected: (robot: ConnectedRobot) => boolean;
}

/**
 * Changes the torque of joints, inside a tick of the control loop. Knows which torque is wanted, also while the robot does not
 * have it: its link or its power was lost, or a servo does not answer.
 */
export class TorqueChanges {
  readonly #options: TorqueChangesOptions;
  #wanted: TorqueState | null;
  #connection = new AbortController();

  /** @param wanted the torque before the process before this one was lost; null when it is not known */
  constructor(options: TorqueChangesOptions, wanted: TorqueState | null) {
    this.#options = options;
    this.#wanted = wanted;
  }

  /** Null while it is not known: a robot that nobody has moved yet may be standing, and would fall without torque. */
  get wanted(): TorqueState | null {
    return this.#wanted;
  }

  /** From now on the torque that the robot has is wanted. */
  leaveAsIs({ motors }: ConnectedRobot): void {
    this.#wanted = motors.state;
  }

  /** Somebody wants no torque of a robot that has none: says so, for those who would turn it on again. */
  leaveOff(robot: ConnectedRobot): void {
    this.leaveAsIs(robot);
    this.#report("disabled");
  }

  /** From now on joints are wanted without torque: their servos have shut down, or somebody wants it so. */
  leaveOut(joints: readonly number[]): void {
    if (this.#wanted !== null) this.#wanted = without(this.#wanted, joints);
  }

  /**
   * Enables all motors without a jump and ends any fault: servos that have shut down are restarted first.
   * @throws WorkbenchError `robot-not-ready` when the robot is lost meanwhile
   */
  async enableMotors(robot: ConnectedRobot): Promise<void> {
    await this.give(robot, () => this.#enable(robot));
    this.#options.status.setPhase("running");
  }

  /**
   * Gives torque. When that fails, the torque is wanted that was wanted before: all of it where the robot did not have it, else
   * what is left.
   */
  async give(robot: ConnectedRobot, change: () => Promise<void>): Promise<void> {
    const { motors } = robot;
    const wasOwed = this.#isOwed(robot);
    try {
      await this.#run(robot, change);
      this.#wanted = {
        ...motors.state,
        joints: [...new Set([...motors.state.joints, ...(this.#wanted?.joints ?? [])])],
      };
    } catch (error) {
      if (!wasOwed) this.leaveAsIs(robot);
      throw error;
    }
  }

  /** Takes torque from joints. Also when that fails, they are wanted without it. */
  async take(robot: ConnectedRobot, joints: readonly number[] = ALL_JOINTS): Promise<void> {
    this.leaveOut(joints);
    if (robot.motors.mode === "disabled") this.#report("disabled");
    await this.#run(robot, () => robot.motors.disable(joints));
  }

  /**
   * Call when the robot is connected. What was lost comes back, and what could not be taken before the link was lost is taken:
   * tries for a minute, until the robot has the torque that is wanted or is lost again. After that the robot stays as it is.
   */
  async onConnected(robot: ConnectedRobot): Promise<void> {
    const { clock, status, work } = this.#options;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    if (this.#wanted === null) return this.leaveAsIs(robot);
    const notRestored = (why: string) => `The motor mode is not ${this.#wanted?.mode} again: ${why}`;
    await retryWhileNotReady(() => work.add((connected) => this.#restore(connected)), {
      clock,
      signal,
      onFirstFailure: ({ detail }) => status.emit("fault", "warning", `${notRestored(detail)} The daemon tries again.`),
    }).catch((error: unknown) => {
      status.emit("fault", "error", `${notRestored(problemOf(error).detail)} Set it again when the cause is fixed.`);
      this.leaveAsIs(robot);
    });
  }

  /** Call when the robot was lost. */
  onDisconnected(): void {
    this.#connection.abort();
  }

  /**
   * Gives and takes torque until the robot has what is wanted.
   * @throws WorkbenchError `robot-not-ready`, `robot-fault`
   */
  async #restore(robot: ConnectedRobot): Promise<void> {
    const { mode, joints } = this.#wanted ?? robot.motors.state;
    if (this.#isOwed(robot)) {
      const isCompensating = mode === "gravity_compensation";
      const enable = () => (isCompensating ? robot.enableGravityCompensation(joints) : this.#enable(robot, joints));
      await this.#run(robot, enable, RESTORED);
    }
    const extra = ALL_JOINTS.filter((joint) => robot.motors.torque[joint] && !joints.includes(joint));
    if (extra.length > 0) await this.#run(robot, () => robot.motors.disable(extra), RESTORED);
  }

  /** Whether the robot does not have torque that is wanted. */
  #isOwed({ motors }: ConnectedRobot): boolean {
    const { mode, joints } = this.#wanted ?? motors.state;
    return joints.some((joint) => !motors.torque[joint]) || (joints.length > 0 && mode !== motors.mode);
  }

  async #enable(robot: ConnectedRobot, joints?: readonly number[]): Promise<void> {
    const { status, servoFaults, isConnected } = this.#options;
    await servoFaults.restartServos(robot);
    await robot.enableTorque(joints);
    if (!isConnected(robot)) throw new WorkbenchError("robot-not-ready", status.error ?? "The robot was lost.");
  }

  /**
   * Runs a change of torque and reports the motor mode that results, also of a change that fails. Joints that get torque stay
   * where they are; in any mode but `enabled`, a move ends.
   */
  async #run(robot: ConnectedRobot, change: () => Promise<void>, data: RobotEvent["data"] = {}): Promise<void> {
    const { moves, targets } = this.#options;
    const { mode: modeBefore, torque } = robot.motors;
    const torqueBefore = [...torque];
    try {
      await change();
    } finally {
      const { mode } = robot.motors;
      if (torque.some((on, joint) => on && !torqueBefore[joint])) targets.clear();
      if (mode !== "enabled") moves.end("cancelled");
      if (mode !== modeBefore) this.#report(mode, data);
    }
  }

  #report(mode: MotorMode, data: RobotEvent["data"] = {}): void {
    this.#options.status.emit("motor_mode", "info", `Motor mode: ${mode}.`, { mode, ...data });
  }
}

function without({ mode, joints }: TorqueState, taken: readonly number[]): TorqueState {
  const left = joints.filter((joint) => !taken.includes(joint));
  return { mode: left.length === 0 ? "disabled" : mode, joints: left };
}
