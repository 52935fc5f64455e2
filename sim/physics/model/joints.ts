import RAPIER from "@dimforge/rapier3d-simd-compat";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../../robot/description/geometry.ts";
import { MAX_HEAD_BODY_YAW, MAX_ROLL_PITCH } from "../../../robot/description/limits.ts";
import { subtract } from "../../../robot/kinematics/vector.ts";
import { toVector } from "../engine-vectors.ts";
import { HINGES, LEG_LINKAGES, ORIGINS } from "./linkage.ts";
import type { Parts } from "./parts.ts";

/**
 * Connects the parts. Every part must be at its position for joint angle zero.
 * @returns the motorised joints in the order of `HINGES`
 */
export function joinParts(world: RAPIER.World, parts: Parts): RAPIER.UnitImpulseJoint[] {
  const hinges = HINGES.map(({ parent, child, axis, anchor, stops }) => {
    const data = RAPIER.JointData.revolute(toVector(anchor), toVector([0, 0, 0]), toVector(axis));
    const joint = world.createImpulseJoint(data, parts[parent], parts[child], true) as RAPIER.RevoluteImpulseJoint;
    joint.setContactsEnabled(false);
    if (stops !== null) joint.setLimits(...stops);
    return joint;
  });
  const ballJoint = (first: RAPIER.RigidBody, onFirst: Vec3, second: RAPIER.RigidBody, onSecond: Vec3) => {
    const data = RAPIER.JointData.spherical(toVector(onFirst), toVector(onSecond));
    world.createImpulseJoint(data, first, second, true).setContactsEnabled(false);
  };
  limitHead(world, parts);
  for (const leg of LEG_LINKAGES) {
    ballJoint(parts[leg.arm], leg.elbow, parts[leg.rod], [0, 0, 0]);
    ballJoint(parts[leg.rod], leg.top, parts.head, leg.ball);
  }
  return hinges;
}

/** Radians between the limit of targets and the angle at which the shells stop the head. */
const HEAD_LIMIT_MARGIN = 0.1;
/** The head's range from neutral in the trunk's frame: metres along x, y, z and radians about them. */
const HEAD_LIMITS: readonly (readonly [lower: number, upper: number])[] = [
  [-0.04, 0.04],
  [-0.04, 0.04],
  [-0.06, 0.04],
  [-MAX_ROLL_PITCH - HEAD_LIMIT_MARGIN, MAX_ROLL_PITCH + HEAD_LIMIT_MARGIN],
  [-MAX_ROLL_PITCH - HEAD_LIMIT_MARGIN, MAX_ROLL_PITCH + HEAD_LIMIT_MARGIN],
  [-MAX_HEAD_BODY_YAW - HEAD_LIMIT_MARGIN, MAX_HEAD_BODY_YAW + HEAD_LIMIT_MARGIN],
];

/** Limits the head as its shells do. Without this, a weak push could turn the platform inside out. */
function limitHead(world: RAPIER.World, parts: Parts): void {
  const inTrunk = toVector(subtract([0, 0, HEAD_HEIGHT], ORIGINS.trunk));
  const data = RAPIER.JointData.generic(inTrunk, toVector([0, 0, 0]), toVector([1, 0, 0]), 0 as RAPIER.JointAxesMask);
  const joint = world.createImpulseJoint(data, parts.trunk, parts.head, true);
  HEAD_LIMITS.forEach(([lower, upper], axis) => {
    world.impulseJoints.raw.jointSetLimits(joint.handle, axis, lower, upper);
  });
}
