import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { OperatingMode, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { MODELS } from "../../../../robot/servo/registers/models.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import { waitForServo, writeGains } from "../../hardware/bring-up.ts";
import { ALL_JOINTS, holdingGoal, JOINT_IDS, nearestGoal, type Servos } from "../../hardware/servos.ts";

/**
 * Torque and operating modes of the nine servos. Torque is enabled with the goals where the joints are. Arrays are in the order of `JOINTS`; `joints` arguments are indices into it.
 */
export class Motors {
  /** Which joints have torque. */
  readonly torque: boolean[] = ALL_JOINTS.map(() => false);
  /** The goals sent last, radians; for a joint without torque, the goal that would hold it where it is. */
  readonly sent: Float64Array;
  readonly #servos: Servos;
  readonly #clock: Clock;
  #isCompensating = false;

  /** @param jointsWithTorque joints that have torque already */
  constructor(servos: Servos, clock: Clock, jointsWithTorque: readonly number[]) {
    this.#servos = servos;
    this.#clock = clock;
    for (const joint of jointsWithTorque) this.torque[joint] = true;
    this.sent = servos.position.map((angle, joint) => (this.torque[joint] ? nearestGoal : holdingGoal)(joint, angle));
  }

  /** `enabled` as soon as one joint holds its position. */
  get mode(): MotorMode {
    if (this.#isCompensating) return "gravity_compensation";
    return this.torque.includes(true) ? "enabled" : "disabled";
  }

  /**
   * Enables torque in position control without a jump. Joints that have it already keep their goals. Out of gravity
   * compensation all joints are enabled, as the head would fall otherwise.
   */
  async enable(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    const wanted = this.#isCompensating ? ALL_JOINTS : joints;
    if (this.#isCompensating) await this.#setOperatingMode(OperatingMode.position);
    const off = wanted.filter((joint) => !this.torque[joint]);
    const pinned = await this.#servos.enableTorque(off);
    for (const joint of off) {
      this.torque[joint] = true;
      this.sent[joint] = pinned[joint] ?? 0;
    }
  }

  async disable(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.#servos.disableTorque(joints);
    for (const joint of joints) this.torque[joint] = false;
    if (this.#isCompensating && !this.torque.includes(true)) await this.#setOperatingMode(OperatingMode.position);
  }

  /** Current control, from the first moment with the torques (N m) that hold the robot against gravity. */
  async enableGravityCompensation(torques: readonly number[]): Promise<void> {
    await this.#setOperatingMode(OperatingMode.current);
    await this.#servos.enableCurrentControl(currentsFor(torques));
    this.torque.fill(true);
  }

  /**
   * Sends goal angles, radians, to the joints that have torque.
   *
   * @param leads radians by which the servos' goals are ahead of the angles, to hold the robot's weight
   */
  async sendGoals(angles: ArrayLike<number>, leads: ArrayLike<number>): Promise<void> {
    const goals = this.#servos.position.map((measured, joint) =>
      this.torque[joint] ? (angles[joint] ?? 0) : holdingGoal(joint, measured),
    );
    await this.#servos.writeGoals(
      goals.map((goal, joint) => goal + (leads[joint] ?? 0)),
      ALL_JOINTS.filter((joint) => this.torque[joint]),
    );
    this.sent.set(goals);
  }

  /** Sends torques, N m, in gravity compensation. */
  async compensateGravity(torques: readonly number[]): Promise<void> {
    await this.#servos.writeCurrents(currentsFor(torques));
  }

  /** Reboots servos that have shut down. Afterwards they have their settings and no torque. */
  async rebootServos(joints: readonly number[]): Promise<void> {
    for (const joint of joints) {
      this.torque[joint] = false;
      await this.#servos.bus.reboot(JOINT_IDS[joint] ?? 0);
    }
    for (const joint of joints) await waitForServo(this.#servos.bus, this.#clock, JOINT_IDS[joint] ?? 0);
    await this.#writeGains(joints);
  }

  /** The mode can only be changed without torque, and the change resets the gains. */
  async #setOperatingMode(mode: number): Promise<void> {
    await this.#servos.disableTorque(ALL_JOINTS);
    this.torque.fill(false);
    await this.#servos.writeEach(REGISTERS.operatingMode, ALL_JOINTS, () => mode);
    this.#isCompensating = mode === OperatingMode.current;
    await this.#writeGains(ALL_JOINTS);
  }

  async #writeGains(joints: readonly number[]): Promise<void> {
    for (const index of joints) {
      const joint = JOINTS[index];
      if (joint !== undefined) await writeGains(this.#servos.bus, joint);
    }
  }
}

/** Goal currents, A, for torques in N m, by each model's stall current and torque. */
function currentsFor(torques: readonly number[]): number[] {
  return JOINTS.map(({ model }, index) => {
    const { stallCurrent, stallTorque } = MODELS[model];
    return ((torques[index] ?? 0) * stallCurrent) / stallTorque;
  });
}
