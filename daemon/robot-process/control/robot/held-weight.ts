import { JOINTS } from "../../../../robot/description/joints.ts";
import { gravityTorques } from "../../../../robot/kinematics/gravity.ts";
import { leastGravityStiffness } from "../../../../robot/kinematics/gravity-stiffness.ts";
import type { LimiterState } from "../../../../robot/motion/limits/limit-target.ts";
import { RATED_VOLTAGE, stiffnessOf } from "../../../../robot/servo/registers/models.ts";
import { type JointReadings, StandingError } from "./standing-error.ts";

/** N m: no pose within the workspace needs more; near its edge the computed torques grow without limit. */
const MAX_TORQUE = 0.1;
/** Radians from one sending of goals to the next, so that a lead that begins or ends does not jerk the head. */
const LEAD_STEP = 0.03;
/** Range of the weight by stiffness relative to the computed one: that of either divisor of the P gain, and of a payload. */
const SCALE = { from: 0.4, to: 2 } as const;
/**
 * How much stiffer than the weight the legs must be. Where they are not, only dry friction holds the head: learning would
 * work against it until the head turns away.
 */
const STIFFNESS_MARGIN = 1.2;
/** Share of what the robot has learned at one place that it takes over for all places. */
const SHARE_FOR_ALL = 0.5;
/** rad2: what dry friction leaves in six legs, 1 degree each. Less weight than this says nothing about all places. */
const FRICTION_SQUARE = 2e-3;

/**
 * The servos hold their goals like springs (no integral gain), so the robot's weight would bend every joint off its goal:
 * a leg by up to 6 degrees, and a turned head, where the legs have little leverage about the vertical, by more.
 * This computes by how much the servos' goals must lead the wanted angles, so that the joints come to rest at these: what
 * weight and stiffness give, and what the robot learns while it stands.
 */
export class HeldWeight {
  readonly #leads = new Float64Array(JOINTS.length);
  readonly #byWeight = new Float64Array(JOINTS.length);
  readonly #sum = new Float64Array(JOINTS.length);
  readonly #stiffness: readonly number[];
  readonly #standing: StandingError;
  #scale = 1;
  #stood = false;
  /** The standing whose stiffness is known, and whether the legs are stiff enough for it. */
  #isFirm: boolean | undefined;

  /** @param supply V at the servos, which are the stiffer the more they have */
  constructor(supply = RATED_VOLTAGE) {
    this.#stiffness = JOINTS.map((joint) => (stiffnessOf(joint) * supply) / RATED_VOLTAGE);
    this.#standing = new StandingError(this.#stiffness);
  }

  /** Weight by stiffness, relative to the computed one. */
  get scale(): number {
    return this.#scale;
  }

  /**
   * Radians by which the servos' goals lead the wanted angles, in the order of `JOINTS`. Call it once per sending of goals:
   * the part of the weight changes by at most 0.03 rad from one call to the next.
   *
   * The weight's part depends on the wanted posture only. Torques of the measured one would amplify every deviation from it.
   */
  leadsFor({ joints, head, insideWorkspace }: LimiterState): Float64Array {
    const torques = insideWorkspace ? gravityTorques(joints, head) : [];
    for (const [joint, stiffness] of this.#stiffness.entries()) {
      this.#byWeight[joint] = clamp(torques[joint] ?? 0, MAX_TORQUE) / stiffness;
      const wanted = this.#scale * (this.#byWeight[joint] ?? 0);
      const last = this.#leads[joint] ?? 0;
      const lead = last + clamp(wanted - last, LEAD_STEP);
      this.#leads[joint] = lead;
      this.#sum[joint] = lead + (this.#standing.learned[joint] ?? 0);
    }
    return this.#sum;
  }

  /** Learns from how the joints stand at the target of `state`, `seconds` after the last call. */
  learn(seconds: number, state: LimiterState, readings: Omit<JointReadings, "wanted">): void {
    const trusted = this.#standing.isTrusted;
    const before = trusted ? this.#commonScale() : 0;
    const stands = this.#standing.advance(seconds, { ...readings, wanted: state.joints }, () => {
      this.#isFirm ??= this.#findFirm(state);
      return this.#isFirm;
    });
    if (!stands) this.#isFirm = undefined;
    if (this.#stood && !stands && trusted) {
      const scale = this.#scale + SHARE_FOR_ALL * before;
      this.#scale = Math.max(SCALE.from, Math.min(SCALE.to, scale));
    }
    this.#stood = stands;
  }

  /** Forgets what was learned at the present place: torque was off. */
  reset(): void {
    this.#standing.reset();
    this.#stood = false;
  }

  #findFirm({ joints, head, insideWorkspace }: LimiterState): boolean {
    if (!insideWorkspace) return false;
    const stiffness = (this.#stiffness[1] ?? 0) / Math.max(1, this.#scale);
    return stiffness > -STIFFNESS_MARGIN * leastGravityStiffness(joints, head);
  }

  /** The part of what was learned that all joints have in common, in multiples of the weight's leads. */
  #commonScale(): number {
    let product = 0;
    let square = FRICTION_SQUARE;
    for (const [joint, byWeight] of this.#byWeight.entries()) {
      product += byWeight * (this.#standing.learned[joint] ?? 0);
      square += byWeight ** 2;
    }
    return product / square;
  }
}

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
