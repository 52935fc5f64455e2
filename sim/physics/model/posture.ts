import type { RigidBody } from "@dimforge/rapier3d-simd-compat";
import type { BodyName } from "../../../robot/description/bodies.ts";
import type { Pose, Quaternion, Vec3 } from "../../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../../robot/description/geometry.ts";
import type { RobotPose as NamedPosture } from "../../../robot/description/poses.ts";
import { legAngles } from "../../../robot/kinematics/inverse.ts";
import { positionOf, rotationOf } from "../../../robot/kinematics/pose.ts";
import {
  conjugate,
  fromAxisAngle,
  IDENTITY_ROTATION,
  multiply,
  normalizeQuaternion,
  rotate,
} from "../../../robot/kinematics/quaternion.ts";
import { add, cross, dot, normalize, subtract } from "../../../robot/kinematics/vector.ts";
import { toRotation, toVector, zeroVector } from "../engine-vectors.ts";
import { HINGES, LEG_LINKAGES, ORIGINS } from "./linkage.ts";
import type { Parts } from "./parts.ts";

/** A part's origin and orientation in the world frame, metres. */
export interface Placement {
  readonly position: Vec3;
  readonly rotation: Quaternion;
}

/** Posture of the whole robot: joint angles in radians in the order of `JOINTS`, and the resulting head pose. */
export interface Posture {
  readonly joints: readonly number[];
  readonly head: Pose;
}

/** Adds the joint angles to a posture of the description; NaN where a leg cannot reach. */
export function postureOf({ head, antennas, bodyYaw }: NamedPosture): Posture {
  return { joints: [bodyYaw, ...legAngles(head, bodyYaw), ...antennas], head };
}

/**
 * Position and rotation of every part in a posture. The rods point from elbow to platform without twist. When angles and
 * head pose do not match, the rods' upper ends have a gap to the head.
 */
export function placementsOf({ joints, head }: Posture): Record<BodyName, Placement> {
  const placed = {
    foot: { position: ORIGINS.foot, rotation: IDENTITY_ROTATION },
    head: { position: add(positionOf(head), [0, 0, HEAD_HEIGHT]), rotation: rotationOf(head) },
  } as Record<BodyName, Placement>;
  HINGES.forEach(({ parent, child, axis, anchor }, index) => {
    const from = placed[parent];
    const turn = fromAxisAngle(axis, joints[index] ?? 0);
    placed[child] = { position: pointOf(from, anchor), rotation: multiply(from.rotation, turn) };
  });
  const trunk = placed.trunk.rotation;
  for (const { arm, rod, elbow, top, ball } of LEG_LINKAGES) {
    const position = pointOf(placed[arm], elbow);
    const along = normalize(rotate(conjugate(trunk), subtract(pointOf(placed.head, ball), position)));
    placed[rod] = { position, rotation: multiply(trunk, shortestTurn(normalize(top), along)) };
  }
  return placed;
}

/** The placement of a robot that stands at its place on the table. */
export const FOOT_ON_TABLE: Placement = { position: ORIGINS.foot, rotation: IDENTITY_ROTATION };

/** Moves the parts to a posture, with zero velocity. @param foot where the foot is */
export function setPosture(parts: Parts, posture: Posture, foot: Placement): void {
  for (const [name, { position, rotation }] of Object.entries(placementsOf(posture))) {
    const fromFoot = subtract(position, ORIGINS.foot);
    setBodyPose(parts[name as BodyName], pointOf(foot, fromFoot), multiply(foot.rotation, rotation));
  }
}

/** A placement in the frame of another one. */
export function relativeTo(base: Placement, { position, rotation }: Placement): Placement {
  const back = conjugate(base.rotation);
  return { position: rotate(back, subtract(position, base.position)), rotation: multiply(back, rotation) };
}

function setBodyPose(body: RigidBody, position: Vec3, rotation: Quaternion): void {
  body.setTranslation(toVector(position), true);
  body.setRotation(toRotation(rotation), true);
  body.setLinvel(zeroVector(), true);
  body.setAngvel(zeroVector(), true);
}

const pointOf = ({ position, rotation }: Placement, local: Vec3): Vec3 => add(position, rotate(rotation, local));

/** The shortest rotation from one unit vector to another, which must not be its opposite. */
function shortestTurn(from: Vec3, to: Vec3): Quaternion {
  const [x, y, z] = cross(from, to);
  return normalizeQuaternion([x, y, z, 1 + dot(from, to)]);
}
