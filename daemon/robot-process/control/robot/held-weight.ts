import { JOINTS } from "../../../../robot/description/joints.ts";
import { gravityTorques } from "../../../../robot/kinematics/gravity.ts";
import type { LimiterState } from "../../../../robot/motion/limits/limit-target.ts";
import { FULL_PWM } from "../../../../robot/servo/registers/control-table.ts";
import { MODELS, RATED_VOLTAGE } from "../../../../robot/servo/registers/models.ts";
import { TICKS_PER_TURN } from "../../../../robot/servo/registers/units.ts";
import { groupJoints } from "./joint-groups.ts";

const TICKS_PER_RADIAN = TICKS_PER_TURN / (2 * Math.PI);
/** The manufacturer's divisor of the position P gain: PWM units per tick are P / 128 (manual, "Position PID Gain"). */
const P_GAIN_UNIT = 128;
/** Radians: no pose within the workspace needs more; near its edge the computed torques grow without limit. */
const MAX_LEAD = 0.1;
/** Radians from one sending of goals to the next, so that a lead that begins or ends does not jerk the head. */
const LEAD_STEP = 0.03;

/**
 * N m per radian with which each joint's servo holds its goal at 6 V, in the order of `JOINTS`: a servo answers a position
 * error with a pulse width of its supply, and the full pulse width gives the stall torque.
 */
const STIFFNESS: readonly number[] = JOINTS.map(
  ({ gains, model }) => ((gains.p / P_GAIN_UNIT) * TICKS_PER_RADIAN * MODELS[model].stallTorque) / FULL_PWM,
);

/**
 * The servos hold their goals like springs (no integral gain), so the robot's weight would bend every joint off its goal:
 * a leg by up to 3 degrees, and a turned head, where the legs have little leverage about the vertical, by up to 10 degrees.
 * This computes by how much the servos' goals must lead the wanted angles, so that the joints come to rest at these.
 */
export class HeldWeight {
  readonly #leads = new Float64Array(JOINTS.length);
  readonly #stiffness: readonly number[];

  /** @param supply V at the servos, which are the stiffer the more they have */
  constructor(supply = RATED_VOLTAGE) {
    this.#stiffness = STIFFNESS.map((stiffness) => (stiffness * supply) / RATED_VOLTAGE);
  }

  /**
   * Radians by which the servos' goals lead the wanted angles, in the order of `JOINTS`. Call it once per sending of goals:
   * a lead changes by at most 0.03 rad from one call to the next.
   *
   * It depends on the wanted posture only. Torques of the measured one would amplify every deviation from it.
   */
  leadsFor({ joints, head, insideWorkspace }: LimiterState): Float64Array {
    const { stewart, antennas, bodyYaw } = groupJoints(joints);
    const torques = insideWorkspace ? gravityTorques(stewart, antennas, head, bodyYaw) : [];
    for (const [joint, stiffness] of this.#stiffness.entries()) {
      const wanted = clamp((torques[joint] ?? 0) / stiffness, MAX_LEAD);
      const last = this.#leads[joint] ?? 0;
      this.#leads[joint] = last + clamp(wanted - last, LEAD_STEP);
    }
    return this.#leads;
  }
}

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
