import type { Clock } from "../../../common/time/clock.ts";
import { isAcceptedSupply } from "../../../robot/description/supply.ts";
import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import { hardwareFault, servoName, toleratedSupply, torqueLoss, wrongSupply } from "./servo-messages.ts";
import { ALL_JOINTS, type Health, JOINT_IDS, type Servos } from "./servos.ts";

const HEALTH_EVERY_MS = 500;
/** A warning that comes back is reported again after this time, with how often it came. One that stays is reported once. */
const WARNING_EVERY_MS = 60_000;
/** While a servo has its alert bit set, unless for a supply that the robot runs with. */
const ALERT_EVERY_MS = 50;
/** A servo that has not answered for so long is unresponsive: more than a packet is lost. */
const UNRESPONSIVE_MS = 1000;
/** Unanswered reads that are needed as well, so that a stall of this process does not count. */
const UNRESPONSIVE_READS = 20;

/** Something that is wrong with a servo; `joint` is an index into `JOINTS`. */
export type HealthFinding =
  /** Torque is off although it was enabled. `isRepairable`: nothing speaks against turning it on again. */
  | { kind: "torque-lost"; joint: number; isRepairable: boolean; message: string }
  /** Torque is on although it was not enabled: a change that failed has left it. */
  | { kind: "torque-left"; joint: number; message: string }
  /** A hardware error that leaves torque on. */
  | { kind: "warning"; joint: number; message: string }
  /** Servos report a supply that the robot runs with. */
  | { kind: "supply"; message: string }
  | { kind: "unresponsive"; message: string };

/** Checks torque and hardware errors of the servos: twice a second, and immediately when one sets its alert bit. */
export class ServoHealthMonitor {
  readonly #servos: Servos;
  readonly #clock: Clock;
  /** By joint and error: milliseconds of the clock at which it was seen and reported last, and how often it came. */
  readonly #warnings = new Map<string, { seenAt: number; reportedAt: number; times: number }>();
  readonly #lastAnswerAt: Float64Array;
  /** Joints whose servo reports a supply that the robot runs with: at the last check, and ever. */
  #tolerated: ReadonlySet<number> = new Set();
  readonly #everTolerated = new Set<number>();
  #alert = false;
  #lastCheckAt = 0;
  #checkBeforeAt = 0;

  constructor(servos: Servos, clock: Clock) {
    this.#servos = servos;
    this.#clock = clock;
    this.#lastAnswerAt = new Float64Array(ALL_JOINTS.length).fill(clock.now());
    servos.bus.onAlert = (id) => {
      if (!this.#tolerated.has(JOINT_IDS.indexOf(id))) this.#alert = true;
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
    this.#checkBeforeAt = this.#lastCheckAt;
    this.#lastCheckAt = now;
    this.#alert = false;
    const health = await this.#servos.readHealth();
    const hasLost = (joint: number) => torque[joint] === true && health[joint]?.torque === false;
    const reporting = ALL_JOINTS.filter(
      (joint) => health[joint]?.hardwareError === HardwareError.inputVoltage && !hasLost(joint),
    );
    return [
      ...(await this.#assessSupply(reporting)),
      ...ALL_JOINTS.flatMap((joint) => {
        const servo = health[joint];
        if (servo === undefined || reporting.includes(joint)) return [];
        if (servo.torque && torque[joint] === false) return [torqueLeft(joint)];
        const warnings = this.#assessError(joint, servo.hardwareError);
        // Its message names the error, which is then not reported again as a warning.
        return hasLost(joint) ? [torqueLost(joint, servo)] : warnings;
      }),
    ];
  }

  /** @param joints whose servos report an input voltage error and nothing else, and have the torque that they should */
  async #assessSupply(joints: readonly number[]): Promise<HealthFinding[]> {
    const volts = joints.length === 0 ? [] : await this.#servos.readVoltages();
    const isTolerated = (joint: number) => isAcceptedSupply(volts[joint] ?? Number.NaN);
    const tolerated = joints.filter(isTolerated);
    this.#tolerated = new Set(tolerated);
    const news = tolerated.filter((joint) => !this.#everTolerated.has(joint));
    for (const joint of news) this.#everTolerated.add(joint);
    const highest = Math.max(...news.map((joint) => volts[joint] ?? 0));
    const ids = news.map((joint) => JOINT_IDS[joint] ?? 0);
    return [
      ...(news.length === 0 ? [] : [{ kind: "supply" as const, message: toleratedSupply(ids, highest) }]),
      ...joints.flatMap((joint) => {
        const measured = volts[joint];
        if (measured === undefined || isTolerated(joint)) return [];
        return this.#warn(joint, HardwareError.inputVoltage, wrongSupply(JOINT_IDS[joint] ?? 0, measured));
      }),
    ];
  }

  #assessError(joint: number, hardwareError: number): HealthFinding[] {
    if (hardwareError === 0) return [];
    return this.#warn(joint, hardwareError, hardwareFault(JOINT_IDS[joint] ?? 0, hardwareError));
  }

  #warn(joint: number, hardwareError: number, message: string): HealthFinding[] {
    const key = `${joint}:${hardwareError}`;
    const now = this.#lastCheckAt;
    const known = this.#warnings.get(key);
    const stays = known !== undefined && known.seenAt === this.#checkBeforeAt;
    const times = (known?.times ?? 0) + (stays ? 0 : 1);
    const isNews = !stays && now - (known?.reportedAt ?? Number.NEGATIVE_INFINITY) >= WARNING_EVERY_MS;
    this.#warnings.set(key, { seenAt: now, reportedAt: isNews ? now : (known?.reportedAt ?? now), times });
    const counted = times === 1 ? message : `${message} (${times} times since the robot was connected)`;
    return isNews ? [{ kind: "warning", joint, message: counted }] : [];
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

function torqueLeft(joint: number): HealthFinding {
  const message = `${servoName(JOINT_IDS[joint] ?? 0)} has torque although its motor should be off: it is turned off.`;
  return { kind: "torque-left", joint, message };
}

/** A servo that got hot, overloaded or damaged must not be turned on without a look at it; a voltage that is back may. */
function torqueLost(joint: number, { hardwareError, shutdown }: Health): HealthFinding {
  const id = JOINT_IDS[joint] ?? 0;
  const isRepairable = (hardwareError & ~HardwareError.inputVoltage) === 0;
  const message = isRepairable ? torqueLoss(id, hardwareError, shutdown) : hardwareFault(id, hardwareError);
  return { kind: "torque-lost", joint, isRepairable, message };
}
