import type { Clock } from "../clock.ts";
import { hardwareFault, servoName } from "./sentences.ts";
import { ALL_JOINTS, JOINT_IDS, type ServoChain } from "./servo-chain.ts";

const HEALTH_EVERY_MS = 500;
/** A servo keeps its alert bit up for as long as the error stays. */
const ALERT_EVERY_MS = 50;
/** A servo that has not answered for so long is lost, not just a packet of it. */
const SILENT_MS = 1000;
/** And not just this process stalled. */
const SILENT_READS = 20;

/** What the servos report about themselves; `joints` are indices into `JOINTS`. */
export type Finding =
  /** Torque is off although it was turned on. */
  | { kind: "torque-lost"; joint: number; message: string }
  /** A hardware error that leaves torque on. */
  | { kind: "warning"; joint: number; message: string }
  | { kind: "silent"; message: string };

/** Asks the servos how they are: twice a second, and at once when one raises its alert bit. */
export class Watch {
  readonly #servos: ServoChain;
  readonly #clock: Clock;
  readonly #warned = new Set<string>();
  readonly #lastHeard: Float64Array;
  #alert = false;
  #lastHealth = 0;

  constructor(servos: ServoChain, clock: Clock) {
    this.#servos = servos;
    this.#clock = clock;
    this.#lastHeard = new Float64Array(ALL_JOINTS.length).fill(clock.now());
    servos.bus.onAlert = () => {
      this.#alert = true;
    };
  }

  /** To be called after each read. `torque` says which joints should have it. */
  async check(torque: readonly boolean[]): Promise<Finding[]> {
    const now = this.#clock.now();
    const silent = this.#findSilent(now);
    if (silent !== undefined) return [silent];
    if (now - this.#lastHealth < (this.#alert ? ALERT_EVERY_MS : HEALTH_EVERY_MS)) return [];
    this.#lastHealth = now;
    this.#alert = false;
    const health = await this.#servos.readHealth();
    return health.flatMap((servo, joint) => {
      if (servo === undefined) return [];
      const lost = torque[joint] === true && !servo.torque;
      return this.#judge(joint, servo.hardwareError, lost);
    });
  }

  #judge(joint: number, hardwareError: number, lost: boolean): Finding[] {
    const id = JOINT_IDS[joint] ?? 0;
    const key = `${joint}:${hardwareError}`;
    if (hardwareError === 0 && !lost) return [];
    const known = this.#warned.has(key);
    this.#warned.add(key);
    if (lost) {
      const message =
        hardwareError === 0
          ? `${servoName(id)} lost its torque, as after a power cut. Check its cable, then turn the motors on again.`
          : hardwareFault(id, hardwareError);
      return [{ kind: "torque-lost", joint, message }];
    }
    return known ? [] : [{ kind: "warning", joint, message: hardwareFault(id, hardwareError) }];
  }

  #findSilent(now: number): Finding | undefined {
    const names: string[] = [];
    for (const index of ALL_JOINTS) {
      const reads = this.#servos.silentReads[index] ?? 0;
      if (reads === 0) this.#lastHeard[index] = now;
      else if (reads >= SILENT_READS && now - (this.#lastHeard[index] ?? now) >= SILENT_MS)
        names.push(servoName(JOINT_IDS[index] ?? 0));
    }
    if (names.length === 0) return undefined;
    const who = names.length === ALL_JOINTS.length ? "any servo" : names.join(", ");
    const message = `No answer from ${who} for ${SILENT_MS / 1000} s. Check the robot's power and cables; the daemon reconnects by itself.`;
    return { kind: "silent", message };
  }
}
