import { JOINTS } from "../../robot/description/joints.ts";
import { OperatingMode, REGISTERS } from "../../robot/servo/control-table.ts";
import { MODELS } from "../../robot/servo/models.ts";
import type { MotorMode } from "../../robot/wire/robot.ts";
import type { Clock } from "../clock.ts";
import { awake, writeGains } from "../hardware/bring-up.ts";
import { ALL_JOINTS, holdingGoal, JOINT_IDS, nearestGoal, type ServoChain } from "../hardware/servo-chain.ts";

/**
 * Torque and operating modes of the nine servos. Every change to torque-on pins the goals to where the joints are.
 * Arrays are in the order of `JOINTS`; `joints` arguments are indices into it.
 */
export class Motors {
  /** Which joints have torque. */
  readonly torque: boolean[] = ALL_JOINTS.map(() => false);
  /** The goals last sent, radians; of a joint without torque: the one that would hold it where it is. */
  readonly sent: Float64Array;
  readonly #servos: ServoChain;
  readonly #clock: Clock;
  #floating = false;

  /** @param torqueOn joints that have torque already */
  constructor(servos: ServoChain, clock: Clock, torqueOn: readonly number[]) {
    this.#servos = servos;
    this.#clock = clock;
    for (const joint of torqueOn) this.torque[joint] = true;
    this.sent = servos.position.map((angle, joint) => (this.torque[joint] ? nearestGoal : holdingGoal)(joint, angle));
  }

  /** `enabled` as soon as one joint holds its position. */
  get mode(): MotorMode {
    if (this.#floating) return "gravity_compensation";
    return this.torque.includes(true) ? "enabled" : "disabled";
  }

  /**
   * Position control with torque, without a jump. Joints that have it already keep their goals. Out of gravity
   * compensation all are held, as the head would fall otherwise.
   */
  async hold(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    const held = this.#floating ? ALL_JOINTS : joints;
    if (this.#floating) await this.#setOperatingMode(OperatingMode.position);
    const limp = held.filter((joint) => !this.torque[joint]);
    const pinned = await this.#servos.turnOn(limp);
    for (const joint of limp) {
      this.torque[joint] = true;
      this.sent[joint] = pinned[joint] ?? 0;
    }
  }

  async letGo(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.#servos.turnOff(joints);
    for (const joint of joints) this.torque[joint] = false;
    if (this.#floating && !this.torque.includes(true)) await this.#setOperatingMode(OperatingMode.position);
  }

  /** Current control: from the first moment with the torques (N m) that hold the robot against gravity. */
  async float(torques: readonly number[]): Promise<void> {
    await this.#setOperatingMode(OperatingMode.current);
    await this.#servos.turnOnCurrents(amperes(torques));
    this.torque.fill(true);
  }

  /** Sends goal angles, radians, to the joints that have torque. */
  async drive(angles: ArrayLike<number>): Promise<void> {
    const goals = this.#servos.position.map((measured, joint) =>
      this.torque[joint] ? (angles[joint] ?? 0) : holdingGoal(joint, measured),
    );
    await this.#servos.writeGoals(
      goals,
      ALL_JOINTS.filter((joint) => this.torque[joint]),
    );
    this.sent.set(goals);
  }

  /** Sends torques, N m, while floating. */
  async support(torques: readonly number[]): Promise<void> {
    await this.#servos.writeCurrents(amperes(torques));
  }

  /** Restarts servos that have shut down; they are limp and set up again afterwards. */
  async restart(joints: readonly number[]): Promise<void> {
    for (const joint of joints) {
      this.torque[joint] = false;
      await this.#servos.bus.reboot(JOINT_IDS[joint] ?? 0);
    }
    for (const joint of joints) await awake(this.#servos.bus, this.#clock, JOINT_IDS[joint] ?? 0);
    await this.#setUp(joints);
  }

  /** The mode can be changed without torque only, and the change resets the gains. */
  async #setOperatingMode(mode: number): Promise<void> {
    await this.#servos.turnOff(ALL_JOINTS);
    this.torque.fill(false);
    await this.#servos.writeEach(REGISTERS.operatingMode, ALL_JOINTS, () => mode);
    this.#floating = mode === OperatingMode.current;
    await this.#setUp(ALL_JOINTS);
  }

  async #setUp(joints: readonly number[]): Promise<void> {
    for (const index of joints) {
      const joint = JOINTS[index];
      if (joint !== undefined) await writeGains(this.#servos.bus, joint);
    }
  }
}

/** Goal currents for torques in N m, by each model's stall figures. */
function amperes(torques: readonly number[]): number[] {
  return JOINTS.map(({ model }, index) => {
    const { stallCurrent, stallTorque } = MODELS[model];
    return ((torques[index] ?? 0) * stallCurrent) / stallTorque;
  });
}
