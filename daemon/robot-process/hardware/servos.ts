import { JOINTS } from "../../../robot/description/joints.ts";
import {
  decodeValue,
  encodeValue,
  PRESENT_STATE,
  REGISTERS,
  type Register,
} from "../../../robot/servo/registers/control-table.ts";
import {
  amperesToUnits,
  radiansToTicks,
  TICKS_PER_TURN,
  ticksToRadians,
  unitsToAmperes,
  unitsToRadiansPerSecond,
  unitsToVolts,
} from "../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Answers } from "./bus/exchange.ts";
import type { ServoBus } from "./bus/servo-bus.ts";
import { servoName } from "./servo-messages.ts";

/** Indices into `JOINTS`. */
export const ALL_JOINTS: readonly number[] = JOINTS.map((_, index) => index);
/** Ids on the bus, in the order of `JOINTS`. */
export const JOINT_IDS: readonly number[] = JOINTS.map(({ id }) => id);

/** Shutdown (63) and torque enable (64) up to hardware error status (70) in one read. */
const HEALTH = { address: REGISTERS.shutdown.address, length: 8 } as const;
/** Reads until a servo has answered: 300 ms at the most, as for a request to one servo. */
const MAX_PRESENT_READS = 25;
/** Reads in a row without any answer from which the bus, and not a packet, is at fault. */
const UNRESPONSIVE_READS = 5;

export interface Health {
  /** The register `shutdown`: which hardware errors turn torque off. */
  shutdown: number;
  torque: boolean;
  /** The register `hardwareErrorStatus`. */
  hardwareError: number;
}

/** The robot's nine servos. Every array is in the order of `JOINTS`; angles in radians. */
export class Servos {
  readonly bus: ServoBus;
  /** As last read: radians, rad/s, A. */
  readonly position = new Float64Array(JOINTS.length);
  readonly velocity = new Float64Array(JOINTS.length);
  readonly current = new Float64Array(JOINTS.length);
  /** Reads in a row that the servo has not answered. */
  readonly missedReads = new Int32Array(JOINTS.length);

  constructor(bus: ServoBus) {
    this.bus = bus;
  }

  /** Whether every servo missed the last reads. Goals must not be sent then: the adapter may deliver all of them at once. */
  get isUnresponsive(): boolean {
    return this.missedReads.every((reads) => reads >= UNRESPONSIVE_READS);
  }

  /** Reads current, velocity and position of all; true when all answered. A servo that did not keeps its last values. */
  async readPresent(): Promise<boolean> {
    const { address, length } = PRESENT_STATE;
    const answers = await this.bus.syncRead(JOINT_IDS, address, length);
    let allAnswered = true;
    for (const [index, answer] of answers.entries()) {
      if (answer?.params.length !== length) {
        this.missedReads[index] = (this.missedReads[index] ?? 0) + 1;
        allAnswered = false;
        continue;
      }
      this.missedReads[index] = 0;
      const value = (register: Register): number => decodeValue(register, answer.params, register.address - address);
      this.current[index] = unitsToAmperes(value(REGISTERS.presentCurrent));
      this.velocity[index] = unitsToRadiansPerSecond(value(REGISTERS.presentVelocity));
      this.position[index] = ticksToRadians(value(REGISTERS.presentPosition));
    }
    return allAnswered;
  }

  /** Torque and hardware errors of all, undefined for those that did not answer. */
  async readHealth(): Promise<(Health | undefined)[]> {
    const answers = await this.bus.syncRead(JOINT_IDS, HEALTH.address, HEALTH.length);
    return answers.map((answer) => (answer?.params.length === HEALTH.length ? healthOf(answer.params) : undefined));
  }

  /**
   * Torque and hardware errors of one.
   *
   * @throws WorkbenchError `robot-not-ready` when it does not answer
   */
  async readHealthOf(joint: number): Promise<Health> {
    return healthOf(await this.bus.read(JOINT_IDS[joint] ?? 0, HEALTH.address, HEALTH.length));
  }

  /** V at each servo, undefined for those that did not answer. */
  async readVoltages(): Promise<(number | undefined)[]> {
    const register = REGISTERS.presentInputVoltage;
    const answers = await this.bus.syncRead(JOINT_IDS, register.address, register.size);
    return answers.map((answer) =>
      answer?.params.length === register.size ? unitsToVolts(decodeValue(register, answer.params)) : undefined,
    );
  }

  /**
   * Sends goal angles, radians, indexed by joint. The servos do not answer; the next tick sends again.
   * @throws RangeError for an angle that is not finite or beyond what the servo accepts
   */
  async writeGoals(radians: ArrayLike<number>, joints: readonly number[] = ALL_JOINTS): Promise<void> {
    return this.#syncWrite(REGISTERS.goalPosition, joints, (index) => goalTicks(index, radians[index] ?? 0));
  }

  /** Sends goal currents in A to all. */
  writeCurrents(amperes: ArrayLike<number>): Promise<void> {
    return this.#syncWrite(REGISTERS.goalCurrent, ALL_JOINTS, (index) => amperesToUnits(amperes[index] ?? 0));
  }

  /**
   * Enables torque in current control, with these currents in A from the first moment: a servo without a goal current
   * would start with its current limit.
   * @param amperes of all nine joints
   * @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses
   */
  async enableCurrentControl(amperes: ArrayLike<number>, joints: readonly number[] = ALL_JOINTS): Promise<void> {
    await this.writeEach(REGISTERS.goalCurrent, joints, (index) => amperesToUnits(amperes[index] ?? 0));
    await this.writeEach(REGISTERS.torqueEnable, joints, () => 1);
  }

  /**
   * Enables torque with the goals where the joints are, so that nothing jumps. Returns these goals of all nine joints,
   * radians.
   *
   * @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses
   */
  async enableTorque(joints: readonly number[]): Promise<Float64Array> {
    await this.readPresentWithRetries(joints);
    const goals = this.position.map((angle, index) => holdingGoal(index, angle));
    await this.writeEach(REGISTERS.goalPosition, joints, (index) => goalTicks(index, goals[index] ?? 0));
    await this.writeEach(REGISTERS.torqueEnable, joints, () => 1);
    return goals;
  }

  /** @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses */
  async disableTorque(joints: readonly number[]): Promise<void> {
    await this.writeEach(REGISTERS.torqueEnable, joints, () => 0);
  }

  /** Disables torque by one packet, which no servo confirms: also where some do not answer. */
  cutTorque(joints: readonly number[]): Promise<void> {
    return this.#syncWrite(REGISTERS.torqueEnable, joints, () => 0);
  }

  /**
   * Reads until each of `joints` has answered after this call.
   *
   * @throws WorkbenchError `robot-not-ready` when one does not answer
   */
  async readPresentWithRetries(joints: readonly number[]): Promise<void> {
    const missing = new Set(joints);
    for (let attempt = 0; attempt < MAX_PRESENT_READS && missing.size > 0; attempt++) {
      await this.readPresent();
      for (const index of missing) if (this.missedReads[index] === 0) missing.delete(index);
    }
    if (missing.size === 0) return;
    const names = [...missing].map((index) => servoName(JOINT_IDS[index] ?? 0)).join(", ");
    throw new WorkbenchError("robot-not-ready", `No answer from ${names}. Check the cables and the robot's power.`);
  }

  /**
   * Writes one register of several servos, and confirms it.
   * @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses
   */
  writeEach(register: Register, joints: readonly number[], value: (index: number) => number): Promise<void> {
    return this.writeBytes(register.address, joints, (index) => encodeValue(register, value(index)));
  }

  /**
   * Writes bytes from an address on, as many for each servo. All get them with one packet, and another one reads them back:
   * one exchange for each servo takes several times as long, in which the head falls while it has no torque. A servo that has
   * other bytes then is written to by itself.
   * @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses
   */
  async writeBytes(address: number, joints: readonly number[], bytes: (index: number) => Uint8Array): Promise<void> {
    const entries = entriesFor(joints, bytes);
    const length = entries[0]?.data.length ?? 0;
    const ids = entries.map(({ id }) => id);
    let answers: Answers = [];
    if (entries.length > 1) {
      await this.bus.syncWrite(address, length, entries);
      answers = await this.bus.syncRead(ids, address, length);
    }
    for (const [index, { id, data }] of entries.entries()) {
      const written = answers[index]?.params;
      const isConfirmed = written?.length === length && data.every((byte, at) => byte === written[at]);
      if (!isConfirmed) await this.bus.write(id, address, data);
    }
  }

  #syncWrite(register: Register, joints: readonly number[], value: (index: number) => number): Promise<void> {
    const entries = entriesFor(joints, (index) => encodeValue(register, value(index)));
    return this.bus.syncWrite(register.address, register.size, entries);
  }
}

/** What one packet writes to several servos. */
const entriesFor = (joints: readonly number[], bytes: (index: number) => Uint8Array) =>
  joints.map((index) => ({ id: JOINT_IDS[index] ?? 0, data: bytes(index) }));

const healthOf = (bytes: Uint8Array): Health => ({
  shutdown: bytes[0] ?? 0,
  torque: bytes[1] === 1,
  hardwareError: bytes[HEALTH.length - 1] ?? 0,
});

/** The nearest angle that the joint's servo accepts as a goal, radians. */
export const nearestGoal = (index: number, radians: number): number => ticksToRadians(goalTicks(index, radians));

/**
 * The goal that holds a joint without torque where it is, radians. A servo forgets the whole turns that it has counted
 * when its torque is enabled (the manufacturer's manual, "Present Position"): an antenna that hangs a little beyond -pi is then
 * a little before pi, and would swing round to any other goal.
 */
export function holdingGoal(index: number, radians: number): number {
  const offset = JOINTS[index]?.homingOffset ?? 0;
  const turns = Math.floor((radiansToTicks(radians) - offset) / TICKS_PER_TURN);
  return nearestGoal(index, radians - turns * 2 * Math.PI);
}

/**
 * The nearest tick that the servo accepts as a goal.
 *
 * @throws RangeError for a value that is not finite: it would become tick 0
 */
function goalTicks(index: number, radians: number): number {
  if (!Number.isFinite(radians))
    throw new RangeError(`${servoName(JOINT_IDS[index] ?? 0)} cannot go to ${radians} rad`);
  const [low, high] = JOINTS[index]?.rawRange ?? [0, 4095];
  return Math.min(high, Math.max(low, radiansToTicks(radians)));
}
