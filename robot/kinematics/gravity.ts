import { bodyOf, LEG_NUMBERS } from "../description/bodies.ts";
import type { Pose, Vec3 } from "../description/frames.ts";
import { HEAD_AT_ZERO, LEFT_ANTENNA, LEGS, RIGHT_ANTENNA } from "../description/geometry.ts";
import { LEVER, rodRows } from "./jacobian.ts";
import { groupJoints } from "./joint-groups.ts";
import { LEG_SOLVERS } from "./legs.ts";
import { solveSix } from "./linear.ts";
import { rotatedByYaw, rotationOf } from "./pose.ts";
import { fromAxisAngle, rotate } from "./quaternion.ts";
import { add, cross, scale, subtract } from "./vector.ts";

/** Newtons a kilogram. */
const GRAVITY = 9.81;

const HEAD = bodyOf("head");
const ROD_WEIGHT = GRAVITY * bodyOf("rod_1").mass;
const ARMS = LEG_NUMBERS.map((number) => bodyOf(`arm_${number}`));
const ANTENNAS = [
  { ...RIGHT_ANTENNA, ...bodyOf("right_antenna") },
  { ...LEFT_ANTENNA, ...bodyOf("left_antenna") },
] as const;

const rods = new Float64Array(42);
const balance = new Float64Array(42);

/**
 * The torques that the servos need against gravity, N m, in the order of `JOINT_NAMES`; a positive torque turns its joint
 * towards larger angles. By virtual work: the rods' forces balance the weight on the platform (through the transposed
 * leg Jacobian), and each arm holds its rod's force, its own weight and half of the rod's weight (the
 * other half counts to the platform). The body turns about a vertical axis, so its torque is 0.
 * @param joints radians, in the same order
 * @param head the pose of these joints, world frame, relative to the neutral head
 */
export function gravityTorques(joints: ArrayLike<number>, head: Pose): readonly number[] {
  const { bodyYaw, stewart, antennas } = groupJoints(joints);
  const pose = rotatedByYaw(head, -bodyYaw);
  const tilt = rotationOf(pose);
  let weight = 0;
  let moment: Vec3 = [0, 0, 0];
  const load = (newtons: number, point: Vec3) => {
    weight += newtons;
    moment = add(moment, cross(rotate(tilt, point), [0, 0, newtons]));
  };

  load(GRAVITY * HEAD.mass, add(subtract(HEAD.origin, HEAD_AT_ZERO), HEAD.centre));
  for (const { ball } of LEGS) load(ROD_WEIGHT / 2, ball);
  const antennaTorques = ANTENNAS.map(({ anchor, axis, centre, mass }, index) => {
    const arm = rotate(fromAxisAngle(axis, antennas[index] as number), centre);
    load(GRAVITY * mass, add(anchor, arm));
    return GRAVITY * mass * rotate(tilt, cross(axis, arm))[2];
  });

  rodRows(pose, stewart, rods);
  for (let leg = 0; leg < 6; leg++) {
    for (let k = 0; k < 6; k++) balance[k * 7 + leg] = rods[leg * 7 + k] as number;
  }
  const wanted = [0, 0, weight, ...scale(moment, 1 / LEVER)];
  for (const [row, value] of wanted.entries()) balance[row * 7 + 6] = value;
  solveSix(balance);

  const legTorques = LEG_SOLVERS.map(({ arm, side }, leg) => {
    const angle = stewart[leg] as number;
    const force = balance[leg * 7 + 6] as number;
    const elbow = add(scale(arm, -Math.sin(angle)), scale(side, Math.cos(angle)));
    const along = [0, 1, 2].reduce((sum, k) => sum + (rods[leg * 7 + k] as number) * (elbow[k] as number), 0);
    return force * along + (ROD_WEIGHT / 2) * elbow[2] + armTorque(leg, angle);
  });
  return [0, ...legTorques, ...antennaTorques];
}

function armTorque(leg: number, angle: number): number {
  const arm = ARMS[leg] as (typeof ARMS)[number];
  const { axis } = LEGS[leg] as (typeof LEGS)[number];
  return GRAVITY * arm.mass * cross(axis, rotate(fromAxisAngle(axis, angle), arm.centre))[2];
}
