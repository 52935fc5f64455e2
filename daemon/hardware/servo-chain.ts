import { JOINTS } from "../../robot/description/joints.ts";
import { decodeValue, encodeValue, PRESENT_STATE, REGISTERS, type Register } from "../../robot/servo/control-table.ts";
import {
  amperesToUnits,
  radiansToTicks,
  TICKS_PER_TURN,
  ticksToRadians,
  unitsToAmperes,
  unitsToRadiansPerSecond,
} from "../../robot/servo/units.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ServoBus } from "./bus.ts";
import { servoName } from "./sentences.ts";

/** Indices into `JOINTS`. */
export const ALL_JOINTS: readonly number[] = JOINTS.map((_, index) => index);
export const JOINT_IDS: readonly number[] = JOINTS.map(({ id }) => id);

/** Torque enable (64) up to hardware error status (70) in one read. */
const HEALTH = { address: REGISTERS.torqueEnable.address, length: 7 } as const;
const TRIES_TO_MEASURE = 5;
/** Reads in a row without any answer after which the bus, not a packet, is at fault. */
const DEAF_READS = 5;

export interface Health {
  torque: boolean;
  /** The register `hardwareErrorStatus`. */
  hardwareError: number;
}

/** The robot's nine servos. Every array is in the order of `JOINTS`; angles in radians. */
export class ServoChain {
  readonly bus: ServoBus;
  /** As last read: radians, rad/s, A. */
  readonly position = new Float64Array(JOINTS.length);
  readonly velocity = new Float64Array(JOINTS.length);
  readonly current = new Float64Array(JOINTS.length);
  /** Reads in a row that brought no answer of the servo. */
  readonly silentReads = new Int32Array(JOINTS.length);

  constructor(bus: ServoBus) {
    this.bus = bus;
  }

  /** Whether nobody has answered for a while: what is sent now may be held up on its way, and arrive in one heap. */
  get isDeaf(): boolean {
    return this.silentReads.every((reads) => reads >= DEAF_READS);
  }

  /** Reads current, velocity and position of all; true when all answered. What did not keeps its last values. */
  async readPresent(): Promise<boolean> {
    const answers = await this.bus.syncRead(JOINT_IDS, PRESENT_STATE.address, PRESENT_STATE.length);
    let complete = true;
    for (const index of ALL_JOINTS) {
      const answer = answers[index];
      if (answer === undefined || answer.params.length !== PRESENT_STATE.length) {
        this.silentReads[index] = (this.silentReads[index] ?? 0) + 1;
        complete = false;
        continue;
      }
      this.silentReads[index] = 0;
      const value = (register: Register): number =>
        decodeValue(register, answer.params, register.address - PRESENT_STATE.address);
      this.current[index] = unitsToAmperes(value(REGISTERS.presentCurrent));
      this.velocity[index] = unitsToRadiansPerSecond(value(REGISTERS.presentVelocity));
      this.position[index] = ticksToRadians(value(REGISTERS.presentPosition));
    }
    return complete;
  }

  /** Torque and hardware errors of all, undefined for those that did not answer. */
  async readHealth(): Promise<(Health | undefined)[]> {
    const answers = await this.bus.syncRead(JOINT_IDS, HEALTH.address, HEALTH.length);
    return answers.map((answer) =>
      answer?.params.length === HEALTH.length
        ? { torque: answer.params[0] === 1, hardwareError: answer.params[HEALTH.length - 1] ?? 0 }
        : undefined,
    );
  }

  /** Sends goal angles (radians, in the order of `joints`). Nobody answers: the next tick sends again. */
  writeGoals(radians: ArrayLike<number>, joints: readonly number[] = ALL_JOINTS): Promise<void> {
    return this.#syncWrite(REGISTERS.goalPosition, joints, (index) => goalTicks(index, radians[index] ?? 0));
  }

  /** Sends goal currents in A to all. */
  writeCurrents(amperes: ArrayLike<number>): Promise<void> {
    return this.#syncWrite(REGISTERS.goalCurrent, ALL_JOINTS, (index) => amperesToUnits(amperes[index] ?? 0));
  }

  /**
   * Turns torque on in current control, with these currents in A from the first moment: a servo that has not got its own
   * would begin with its current limit, all that it can.
   */
  async turnOnCurrents(amperes: ArrayLike<number>): Promise<void> {
    await this.writeEach(REGISTERS.goalCurrent, ALL_JOINTS, (index) => amperesToUnits(amperes[index] ?? 0));
    await this.writeEach(REGISTERS.torqueEnable, ALL_JOINTS, () => 1);
  }

  /**
   * Turns torque on with the goals where the joints are, so that nothing jumps. Returns the pinned angles of all nine
   * (for joints that are not asked for: where they are).
   *
   * @throws WorkbenchError `robot-not-ready` when a servo does not answer, `robot-fault` when one refuses
   */
  async turnOn(joints: readonly number[]): Promise<Float64Array> {
    await this.measure(joints);
    const pinned = this.position.map((angle, index) => holdingGoal(index, angle));
    await this.writeEach(REGISTERS.goalPosition, joints, (index) => goalTicks(index, pinned[index] ?? 0));
    await this.writeEach(REGISTERS.torqueEnable, joints, () => 1);
    return pinned;
  }

  async turnOff(joints: readonly number[]): Promise<void> {
    await this.writeEach(REGISTERS.torqueEnable, joints, () => 0);
  }

  /** Reads until each of `joints` has answered after this call. */
  async measure(joints: readonly number[]): Promise<void> {
    const missing = new Set(joints);
    for (let attempt = 0; attempt < TRIES_TO_MEASURE && missing.size > 0; attempt++) {
      await this.readPresent();
      for (const index of missing) if (this.silentReads[index] === 0) missing.delete(index);
    }
    if (missing.size === 0) return;
    const names = [...missing].map((index) => servoName(JOINT_IDS[index] ?? 0)).join(", ");
    throw new WorkbenchError("robot-not-ready", `No answer from ${names}. Check the cables and the robot's power.`);
  }

  /** Writes one register of several servos, each with its word that it has it. */
  async writeEach(register: Register, joints: readonly number[], value: (index: number) => number): Promise<void> {
    for (const index of joints) {
      await this.bus.write(JOINT_IDS[index] ?? 0, register.address, encodeValue(register, value(index)));
    }
  }

  #syncWrite(register: Register, joints: readonly number[], value: (index: number) => number): Promise<void> {
    const entries = joints.map((index) => ({
      id: JOINT_IDS[index] ?? 0,
      data: encodeValue(register, value(index)),
    }));
    return this.bus.syncWrite(register.address, register.size, entries);
  }
}

/** The angle nearest to this one that the joint's servo can be sent to, radians. */
export const nearestGoal = (index: number, radians: number): number => ticksToRadians(goalTicks(index, radians));

/**
 * The goal that holds a joint without torque where it is, radians. A servo that gets torque forgets the turns that it
 * has counted (the maker's manual, "Present Position"): an antenna that hangs a little beyond -pi is a little before pi
 * from then on, and would swing round to any other goal.
 */
export function holdingGoal(index: number, radians: number): number {
  const offset = JOINTS[index]?.homingOffset ?? 0;
  const turns = Math.floor((radiansToTicks(radians) - offset) / TICKS_PER_TURN);
  return nearestGoal(index, radians - turns * 2 * Math.PI);
}

/** The nearest tick that the servo accepts as a goal. Throws RangeError for what is no number: it would become tick 0. */
function goalTicks(index: number, radians: number): number {
  if (!Number.isFinite(radians))
    throw new RangeError(`${servoName(JOINT_IDS[index] ?? 0)} cannot go to ${radians} rad`);
  const [low, high] = JOINTS[index]?.rawRange ?? [0, 4095];
  return Math.min(high, Math.max(low, radiansToTicks(radians)));
}
