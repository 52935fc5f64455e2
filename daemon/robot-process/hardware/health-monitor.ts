import type { Clock } from "../../../common/time/clock.ts";
import { hardwareFault, servoName } from "./servo-messages.ts";
import { ALL_JOINTS, JOINT_IDS, type Servos } from "./servos.ts";

const HEALTH_EVERY_MS = 500;
/** A warning that stays, or comes back, is reported again after this time. */
const WARNING_EVERY_MS = 60_000;
/** While a servo has its alert bit set. */
const ALERT_EVERY_MS = 50;
/** A servo that has not answered for so long is unresponsive: more than a packet is lost. */
const UNRESPONSIVE_MS = 1000;
/** Unanswered reads that are needed as well, so that a stall of this process does not count. */
const UNRESPONSIVE_READS = 20;

/** Something that is wrong with a servo; `joint` is an index into `JOINTS`. */
export type HealthFinding =
  /** Torque is off although it was enabled. */
  | { kind: "torque-lost"; joint: number; message: string }
  /** A hardware error that leaves torque on. */
  | { kind: "warning"; joint: number; message: string }
  | { kind: "unresponsive"; message: string };

/** Checks torque and hardware errors of the servos: twice a second, and immediately when one sets its alert bit. */
export class ServoHealthMonitor {
  readonly #servos: Servos;
  readonly #clock: Clock;
  /** Milliseconds of the clock at which a warning was last reported, by joint and error. */
  readonly #reportedAt = new Map<string, number>();
  readonly #lastAnswerAt: Float64Array;
  #alert = false;
  #lastCheckAt = 0;

  constructor(servos: Servos, clock: Clock) {
    this.#servos = servos;
    this.#clock = clock;
    this.#lastAnswerAt = new Float64Array(ALL_JOINTS.length).fill(clock.now());
    servos.bus.onAlert = () => {
      this.#alert = true;
    };
  }

  /**
   * To be called after each read.
   *
   * @param torque which joints should have it
   */
  async check(torque: readonly boolean[]): Promise<HealthFinding[]> {
    const now = this.#clock.now();
    const unresponsive = this.#findUnresponsive(now);
    if (unresponsive !== undefined) return [unresponsive];
    if (now - this.#lastCheckAt < (this.#alert ? ALERT_EVERY_MS : HEALTH_EVERY_MS)) return [];
    this.#lastCheckAt = now;
    this.#alert = false;
    const health = await this.#servos.readHealth();
    return health.flatMap((servo, joint) => {
      if (servo === undefined) return [];
      const lost = torque[joint] === true && !servo.torque;
      return this.#assess(joint, servo.hardwareError, lost);
    });
  }

  #assess(joint: number, hardwareError: number, lost: boolean): HealthFinding[] {
    const id = JOINT_IDS[joint] ?? 0;
    const key = `${joint}:${hardwareError}`;
    if (hardwareError === 0 && !lost) return [];
    if (lost) {
      this.#reportedAt.set(key, this.#lastCheckAt);
      const message =
        hardwareError === 0
          ? `${servoName(id)} lost its torque, as after a power cut. Check its cable, then turn the motors on again.`
          : hardwareFault(id, hardwareError);
      return [{ kind: "torque-lost", joint, message }];
    }
    if (this.#lastCheckAt - (this.#reportedAt.get(key) ?? Number.NEGATIVE_INFINITY) < WARNING_EVERY_MS) return [];
    this.#reportedAt.set(key, this.#lastCheckAt);
    return [{ kind: "warning", joint, message: hardwareFault(id, hardwareError) }];
  }

  #findUnresponsive(now: number): HealthFinding | undefined {
    const names: string[] = [];
    for (const index of ALL_JOINTS) {
      const reads = this.#servos.missedReads[index] ?? 0;
      if (reads === 0) this.#lastAnswerAt[index] = now;
      else if (reads >= UNRESPONSIVE_READS && now - (this.#lastAnswerAt[index] ?? now) >= UNRESPONSIVE_MS)
        names.push(servoName(JOINT_IDS[index] ?? 0));
    }
    if (names.length === 0) return undefined;
    const who = names.length === ALL_JOINTS.length ? "any servo" : names.join(", ");
    const message = `No answer from ${who} for ${UNRESPONSIVE_MS / 1000} s. Check the robot's power and cables; the daemon reconnects by itself.`;
    return { kind: "unresponsive", message };
  }
}
