import type { JointName } from "../../../robot/description/joints.ts";

/** N m. So low that the head's weight turns the unpowered legs, as on the physical robot. */
const LEG_FRICTION = 0.012;
/** N m, of the antennas' 77:1 gearbox. An unpowered antenna (4 mN m of weight) swings down from any angle. */
const ANTENNA_FRICTION = 0.002;
/** Spread between gearboxes: plus or minus this share. */
const VARIATION = 0.15;

/** Torque in N m that resists an unpowered joint. `random` returns numbers from 0 to 1. */
export function frictionOf(joint: JointName, random: () => number): number {
  const nominal = joint.endsWith("antenna") ? ANTENNA_FRICTION : LEG_FRICTION;
  return nominal * (1 + VARIATION * (2 * random() - 1));
}
