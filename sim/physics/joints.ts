import RAPIER from "@dimforge/rapier3d-compat";
import type { Vec3 } from "../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../robot/description/geometry.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../../robot/description/limits.ts";
import { subtract } from "../../robot/kinematics/vector.ts";
import { toVector } from "./linear.ts";
import type { Parts } from "./parts.ts";
import { HINGES, LEG_PLANS, ORIGINS } from "./plan.ts";

/**
 * Joins the parts, which must still stand where every joint is at zero.
 * @returns the motorised joints in the order of `HINGES`.
 */
export function joinParts(world: RAPIER.World, parts: Parts): RAPIER.UnitImpulseJoint[] {
  const hinges = HINGES.map(({ parent, child, axis, anchor, stops }) => {
    const data = RAPIER.JointData.revolute(toVector(anchor), toVector([0, 0, 0]), toVector(axis));
    const joint = world.createImpulseJoint(data, parts[parent], parts[child], true) as RAPIER.RevoluteImpulseJoint;
    joint.setContactsEnabled(false);
    if (stops !== null) joint.setLimits(...stops);
    return joint;
  });
  const ball = (first: RAPIER.RigidBody, onFirst: Vec3, second: RAPIER.RigidBody, onSecond: Vec3) => {
    const data = RAPIER.JointData.spherical(toVector(onFirst), toVector(onSecond));
    world.createImpulseJoint(data, first, second, true).setContactsEnabled(false);
  };
  limitHead(world, parts);
  for (const leg of LEG_PLANS) {
    ball(parts[leg.arm], leg.elbow, parts[leg.rod], [0, 0, 0]);
    ball(parts[leg.rod], leg.top, parts.head, leg.ball);
  }
  return hinges;
}

/** The shells stop the head a little beyond where it may be sent, radians. */
const MARGIN = 0.1;
/** How far they let it go from neutral, seen from the trunk: metres along x, y, z and radians about them. */
const HEAD_ROOM: readonly (readonly [lower: number, upper: number])[] = [
  [-0.04, 0.04],
  [-0.04, 0.04],
  [-0.06, 0.04],
  [-MAX_ROLL_PITCH - MARGIN, MAX_ROLL_PITCH + MARGIN],
  [-MAX_ROLL_PITCH - MARGIN, MAX_ROLL_PITCH + MARGIN],
  [-MAX_HEAD_BODY_YAW - MARGIN, MAX_HEAD_BODY_YAW + MARGIN],
];

/** Also keeps a push from turning the platform inside out, which the bare rods would let it do much more easily. */
function limitHead(world: RAPIER.World, parts: Parts): void {
  const inTrunk = toVector(subtract([0, 0, HEAD_HEIGHT], ORIGINS.trunk));
  const data = RAPIER.JointData.generic(inTrunk, toVector([0, 0, 0]), toVector([1, 0, 0]), 0 as RAPIER.JointAxesMask);
  const joint = world.createImpulseJoint(data, parts.trunk, parts.head, true);
  HEAD_ROOM.forEach(([lower, upper], axis) => {
    world.impulseJoints.raw.jointSetLimits(joint.handle, axis, lower, upper);
  });
}
