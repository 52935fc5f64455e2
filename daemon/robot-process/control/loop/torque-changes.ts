import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { MoveRunner } from "./move-runner.ts";
import type { ServoFaults } from "./servo-faults.ts";
import type { StatusReporter } from "./status-reporter.ts";
import type { TargetStore } from "./target-store.ts";

interface TorqueChangesOptions {
  readonly status: StatusReporter;
  readonly moves: MoveRunner;
  readonly targets: TargetStore;
  readonly servoFaults: ServoFaults;
  /** Whether a robot is the one that is connected. */
  readonly isConnected: (robot: ConnectedRobot) => boolean;
}

/** Changes the torque of joints, inside a tick of the control loop. */
export class TorqueChanges {
  #count = 0;
  readonly #options: TorqueChangesOptions;

  constructor(options: TorqueChangesOptions) {
    this.#options = options;
  }

  /** Changes so far, also those that failed. */
  get count(): number {
    return this.#count;
  }

  /** Counts as a change that leaves the torque as it is, because somebody wants it to be as it is. */
  leaveAsIs(): void {
    this.#count++;
  }

  /**
   * Enables all motors without a jump and ends any fault: servos that have shut down are restarted first.
   * @throws WorkbenchError `robot-not-ready` when the robot is lost meanwhile
   */
  async enableMotors(robot: ConnectedRobot): Promise<void> {
    const { status, servoFaults, isConnected } = this.#options;
    await this.change(robot, async () => {
      await servoFaults.restartServos(robot);
      await robot.enableTorque();
    });
    if (!isConnected(robot)) throw new WorkbenchError("robot-not-ready", status.error ?? "The robot was lost.");
    status.setPhase("running");
  }

  /**
   * Runs a change of torque and reports the motor mode that results, also of a change that fails. Joints that get torque stay
   * where they are; in any mode but `enabled`, a move ends.
   */
  async change(robot: ConnectedRobot, change: () => Promise<void>): Promise<void> {
    const { status, moves, targets } = this.#options;
    const { mode: modeBefore, torque } = robot.motors;
    const torqueBefore = [...torque];
    this.#count++;
    try {
      await change();
    } finally {
      const { mode } = robot.motors;
      if (torque.some((on, joint) => on && !torqueBefore[joint])) targets.clear();
      if (mode !== "enabled") moves.end("cancelled");
      if (mode !== modeBefore) status.emit("motor_mode", "info", `Motor mode: ${mode}.`, { mode });
    }
  }
}
