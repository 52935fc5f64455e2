import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS, type Joint } from "../../../../robot/description/joints.ts";
import { HardwareError, OperatingMode, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { MODELS } from "../../../../robot/servo/registers/models.ts";
import type { MotorMode } from "../../../../robot/wire/robot/robot-fields.ts";
import type { TorqueState } from "../../../robot-client/torque-state.ts";
import {
  encodeGains,
  GAINS_ADDRESS,
  PROFILES_ADDRESS,
  UNLIMITED_PROFILES,
  waitForServo,
  writeShutdown,
} from "../../hardware/bring-up.ts";
import { ALL_JOINTS, type Health, holdingGoal, JOINT_IDS, nearestGoal, type Servos } from "../../hardware/servos.ts";

/** Milliseconds that a servo may take to restart while the others hold their last goals. */
const REPAIR_MS = 1000;

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
  /** Whether a servo may be in current control, or without its gains after it. */
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
    if (!this.torque.includes(true)) return "disabled";
    return this.#isCompensating ? "gravity_compensation" : "enabled";
  }

  /** The torque that the joints have. */
  get state(): TorqueState {
    return { mode: this.mode, joints: ALL_JOINTS.filter((joint) => this.torque[joint]) };
  }

  /**
   * Enables torque in position control without a jump. Joints that have it already keep their goals. Out of gravity
   * compensation all joints are enabled, as the head would fall otherwise. When a servo fails, none of the joints that had no
   * torque gets it.
   */
  async enable(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    const wanted = this.mode === "gravity_compensation" ? ALL_JOINTS : joints;
    if (this.#isCompensating) await this.#setOperatingMode(OperatingMode.position);
    const off = wanted.filter((joint) => !this.torque[joint]);
    const pinned = await this.#cutOnFailure(off, () => this.#servos.enableTorque(off));
    for (const joint of off) {
      this.torque[joint] = true;
      this.sent[joint] = pinned[joint] ?? 0;
    }
  }

  /** Takes torque from joints. When a servo fails, they count as without torque, and the check of the servos turns the rest off. */
  async disable(joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.#takeTorque(joints);
    if (this.#isCompensating && !this.torque.includes(true)) await this.#setOperatingMode(OperatingMode.position);
  }

  /**
   * Current control, from the first moment with the torques (N m) that hold the robot against gravity. When a servo fails, no
   * joint has torque.
   */
  async enableGravityCompensation(torques: readonly number[], joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.#setOperatingMode(OperatingMode.current);
    await this.#cutOnFailure(joints, () => this.#servos.enableCurrentControl(currentsFor(torques), joints));
    for (const joint of joints) this.torque[joint] = true;
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

  /**
   * Restarts servos that have shut down, so that a voltage error does not shut them down again. Afterwards they have their
   * settings and no torque.
   */
  async restartServos(joints: readonly number[], timeoutMs?: number): Promise<void> {
    const { bus } = this.#servos;
    for (const index of joints) {
      const joint = JOINTS[index];
      if (joint === undefined) continue;
      this.torque[index] = false;
      await writeShutdown(bus, joint);
      await bus.reboot(joint.id);
    }
    for (const joint of joints) await waitForServo(bus, this.#clock, JOINT_IDS[joint] ?? 0, timeoutMs);
    await this.#writeGains(joints);
  }

  /** Joints without torque whose servo has shut down by a voltage error: as one does that is new, or after a factory reset. */
  async jointsShutDownByVoltage(): Promise<number[]> {
    const health = await this.#servos.readHealth();
    return ALL_JOINTS.filter((joint) => {
      const { hardwareError = 0, shutdown = 0 } = health[joint] ?? {};
      return !this.torque[joint] && hardwareError === HardwareError.inputVoltage && (hardwareError & shutdown) !== 0;
    });
  }

  /**
   * Gives torque back to joints whose servos lost it, where the joints are. A servo is restarted only if it has shut down:
   * after a power cut it has restarted by itself.
   *
   * @param torques N m that hold the robot, in gravity compensation
   * @returns the joints that have torque again
   */
  async repair(joints: readonly number[], torques: readonly number[]): Promise<number[]> {
    const health = new Map<number, Health | undefined>();
    for (const joint of joints) health.set(joint, await this.#servos.readHealthOf(joint).catch(() => undefined));
    const answering = joints.filter((joint) => health.get(joint) !== undefined);
    const hasShutDown = (joint: number) => {
      const { hardwareError = 0, shutdown = 0 } = health.get(joint) ?? {};
      return (hardwareError & shutdown) !== 0;
    };
    await this.restartServos(answering.filter(hasShutDown), REPAIR_MS);
    await this.#writeGains(answering.filter((joint) => !hasShutDown(joint)));
    const left = await this.#enableAgain(answering, torques);
    // One that says nothing of a shutdown, and stays without torque, has shut down nevertheless.
    await this.restartServos(left, REPAIR_MS);
    const lost = await this.#enableAgain(left, torques);
    return answering.filter((joint) => !lost.includes(joint));
  }

  /** @returns the joints that are still without torque */
  async #enableAgain(joints: readonly number[], torques: readonly number[]): Promise<number[]> {
    const left: number[] = [];
    for (const joint of joints) {
      this.torque[joint] = false;
      const isOn = await this.#enableOne(joint, torques).catch(() => false);
      this.torque[joint] = isOn;
      if (!isOn) left.push(joint);
    }
    return left;
  }

  async #enableOne(joint: number, torques: readonly number[]): Promise<boolean> {
    if (this.#isCompensating) await this.#servos.enableCurrentControl(currentsFor(torques), [joint]);
    else this.sent[joint] = (await this.#servos.enableTorque([joint]))[joint] ?? 0;
    return (await this.#servos.readHealthOf(joint)).torque;
  }

  /** From here on joints count as without torque. @throws when a servo has not confirmed it */
  async #takeTorque(joints: readonly number[]): Promise<void> {
    for (const joint of joints) this.torque[joint] = false;
    await this.#cutOnFailure(joints, () => this.#servos.disableTorque(joints));
  }

  /** Changes the torque of joints; when that fails, takes it from those that have it. */
  async #cutOnFailure<T>(joints: readonly number[], change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      await this.#servos.cutTorque(joints).catch(() => undefined);
      throw error;
    }
  }

  /** The mode can only be changed without torque, and the change resets the gains. */
  async #setOperatingMode(mode: number): Promise<void> {
    await this.#takeTorque(ALL_JOINTS);
    this.#isCompensating = true;
    await this.#servos.writeEach(REGISTERS.operatingMode, ALL_JOINTS, () => mode);
    await this.#writeGains(ALL_JOINTS);
    this.#isCompensating = mode === OperatingMode.current;
  }

  async #writeGains(joints: readonly number[]): Promise<void> {
    await this.#servos.writeBytes(GAINS_ADDRESS, joints, (index) => encodeGains(JOINTS[index] as Joint));
    await this.#servos.writeBytes(PROFILES_ADDRESS, joints, () => UNLIMITED_PROFILES);
  }
}

/**
 * Goal currents, A, for torques in N m, by each model's stall current and torque. Where the legs can hardly hold the head the
 * torques have no bound, and a servo refuses a current beyond its limit.
 */
function currentsFor(torques: readonly number[]): number[] {
  return JOINTS.map(({ model }, index) => {
    const { stallCurrent, stallTorque } = MODELS[model];
    const share = (torques[index] ?? 0) / stallTorque;
    return Number.isNaN(share) ? 0 : Math.max(-1, Math.min(1, share)) * stallCurrent;
  });
}
