import type { SixLegs } from "../../robot/description/frames.ts";
import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { legAngles } from "../../robot/kinematics/inverse.ts";
import { platformCondition } from "../../robot/kinematics/jacobian.ts";
import { IDENTITY, turned } from "../../robot/kinematics/pose.ts";
import type { Posture } from "./posture.ts";

/** Metres; the strongest motion that the motors can make opens the ball joints by a fifth of this. */
const BROKEN_GAP = 0.004;
/**
 * Below this (1 is the neutral head) the legs can lock each other. Inverse kinematics gives no pose there, so that a
 * motion only passes through.
 */
const JAMMED = 0.1;
const CHECKS_UNTIL_JAMMED = 30;
/** What a mended platform must have at least. */
const WELL_HELD = 0.3;
const NEUTRAL_LEGS = legAngles(IDENTITY, 0);

/**
 * Watches that the platform stays put together as it was built. Too strong a push turns it inside out: every rod still
 * has its length, but the legs hold the head the wrong way round, from where no motor gets it back. That shows in the
 * sign of the determinant that relates the head's motion to the rods'.
 */
export class AssemblyWatch {
  #jammedChecks = 0;

  /** Whether all is well; to be asked every few milliseconds. `gap` is the widest in a ball joint, metres. */
  isSound({ joints, head }: Posture, gap: number): boolean {
    const condition = platformCondition(turned(head, -bodyYaw(joints)), legs(joints));
    this.#jammedChecks = condition < JAMMED ? this.#jammedChecks + 1 : 0;
    return gap < BROKEN_GAP && condition > 0 && this.#jammedChecks < CHECKS_UNTIL_JAMMED;
  }

  save(): number {
    return this.#jammedChecks;
  }

  restore(jammedChecks: number): void {
    this.#jammedChecks = jammedChecks;
  }
}

/**
 * A sound posture near a broken one: body and antennas stay, the legs go towards those of the neutral head as far as
 * it takes until they hold the head well.
 */
export function mended(joints: readonly number[]): Posture {
  const yaw = orZero(bodyYaw(joints));
  const antennas = joints.slice(7).map(orZero);
  const broken = legs(joints);
  for (const part of [0, 0.25, 0.5, 0.75]) {
    const mixed = NEUTRAL_LEGS.map((angle, k) => angle + (1 - part) * ((broken[k] ?? angle) - angle));
    const stewart = mixed as unknown as SixLegs;
    const head = mixed.every(Number.isFinite) ? forwardKinematics(stewart, 0) : undefined;
    if (head !== undefined && platformCondition(head, stewart) > WELL_HELD) {
      return { joints: [yaw, ...stewart, ...antennas], head: turned(head, yaw) };
    }
  }
  return { joints: [yaw, ...NEUTRAL_LEGS, ...antennas], head: turned(IDENTITY, yaw) };
}

const orZero = (angle: number): number => (Number.isFinite(angle) ? angle : 0);
const bodyYaw = (joints: readonly number[]): number => joints[0] ?? 0;
const legs = (joints: readonly number[]): SixLegs => joints.slice(1, 7) as unknown as SixLegs;
