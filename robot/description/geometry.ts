import { bodyOf, type LegNumber } from "./bodies.ts";
import type { Quaternion, SixLegs, Vec3 } from "./frames.ts";

/*
 * Measured from the robot's public description, rounded to a nanometre. World frame with every joint at zero; there
 * the head frame is at `HEAD_AT_ZERO`.
 */

/** From motor axis to ball joint, in the plane of the arm, metres. */
export const ARM_LENGTH = 0.04;
/** Between the two ball joints of a rod, metres. */
export const ROD_LENGTH = 0.085;
/** Of the neutral head above the table, metres. */
export const HEAD_HEIGHT = 0.177;
/** The head frame's origin while every joint is at zero. */
export const HEAD_AT_ZERO: Vec3 = [0, 0, 0.149571134];

/** A leg of the platform: a motor turns an arm, a rod with a ball joint at both ends carries the platform. */
export interface Leg {
  /** On the motor's axis, trunk frame. */
  readonly motor: Vec3;
  /** Unit vector the arm turns about, trunk frame; positive by the right-hand rule. */
  readonly axis: Vec3;
  /** Ball joint between arm and rod with the joint at zero, trunk frame. */
  readonly elbow: Vec3;
  /** Ball joint between rod and platform, head frame. */
  readonly ball: Vec3;
}

/** The arm begins on the motor's axis, the rod at the elbow. */
const leg = (number: LegNumber, axis: Vec3, ball: Vec3): Leg => ({
  motor: bodyOf(`arm_${number}`).origin,
  axis,
  elbow: bodyOf(`rod_${number}`).origin,
  ball,
});

/** Legs 1 to 6. */
export const LEGS: SixLegs<Leg> = [
  leg(1, [-0.500000295, -0.866025233, 0], [0.020648172, 0.02176373, -2.5e-8]),
  leg(2, [-0.500000295, -0.866025233, 0], [0.008523807, 0.028763671, -3.1e-8]),
  leg(3, [1, 0, 0], [-0.029172013, 0.006999934, 3.9e-8]),
  leg(4, [1, 0, 0], [-0.029172038, -0.007000005, 3.5e-8]),
  leg(5, [-0.500000295, 0.866025233, 0], [0.008523817, -0.028763711, -1.3e-8]),
  leg(6, [-0.500000295, 0.866025233, 0], [0.020648193, -0.02176369, -7e-9]),
];

/** The joint of an antenna, in the head frame. */
interface AntennaMount {
  readonly anchor: Vec3;
  /** Unit vector. */
  readonly axis: Vec3;
}
export const RIGHT_ANTENNA: AntennaMount = {
  anchor: [-0.036756696, -0.052192506, 0.072019306],
  axis: [0.861281615, 0.497260035, -0.104529599],
};
export const LEFT_ANTENNA: AntennaMount = {
  anchor: [-0.036756708, 0.05219255, 0.072019288],
  axis: [0.861281591, -0.497260157, -0.104529216],
};

/** The camera in the head frame; its own x points right in the picture, y down, z along the view. */
export const CAMERA: { readonly position: Vec3; readonly rotation: Quaternion } = {
  position: [0.0395, 0, 0.0525],
  rotation: [-0.5, 0.5, -0.5, 0.5],
};
