import type { JointName } from "../../robot/description/joints.ts";

/** N m; so light that the head's weight turns the unpowered legs, as it does on the robot. */
const LEG_FRICTION = 0.012;
/** The antennas' 77:1 gearbox turns easily; an antenna (4 mN m of weight) still swings down from any angle. */
const ANTENNA_FRICTION = 0.002;
/** No two gearboxes are alike: plus or minus this part. */
const SCATTER = 0.15;

/** Torque in N m that resists an unpowered joint, as the seed of the robot has it. */
export function frictionOf(joint: JointName, random: () => number): number {
  const nominal = joint.endsWith("antenna") ? ANTENNA_FRICTION : LEG_FRICTION;
  return nominal * (1 + SCATTER * (2 * random() - 1));
}
