import RAPIER from "@dimforge/rapier3d-simd-compat";
import type { BodyName } from "../../../robot/description/bodies.ts";
import { BODIES } from "../../../robot/description/bodies.ts";
import type { Quaternion, Vec3 } from "../../../robot/description/frames.ts";
import { SLEEP_POSE } from "../../../robot/description/poses.ts";
import { conjugate, fromAxisAngle, rotate } from "../../../robot/kinematics/quaternion.ts";
import { add, cross, norm, normalize, scale, subtract } from "../../../robot/kinematics/vector.ts";
import { TABLE_HALF_WIDTH } from "../../table.ts";
import { toRotation } from "../engine-vectors.ts";
import type { Parts } from "./parts.ts";
import { placementsOf } from "./posture.ts";

/** Collision groups. The mechanism inside the robot has no collisions; its joints hold it. */
const TABLE = 1;
const TRUNK = 2;
const HEAD = 4;
const ANTENNA = 8;
const OBJECT = 16;
const groups = (own: number, others: number) => (own << 16) | others;
export const OBJECT_GROUPS = groups(OBJECT, TABLE | TRUNK | HEAD | ANTENNA | OBJECT);

/** The head's shell is upright in the head frame; its flat underside touches the trunk in the sleep pose. */
const HEAD_SHELL = { radius: 0.07, bottom: 0.02, top: 0.11 };
const TRUNK_SHELL = { radius: 0.07, bottom: -0.03, top: 0.07 };
const ANTENNA_RADIUS = 0.004;
/** The foot's flat underside, which stands on the table. */
const FOOT_SHELL = { radius: 0.07, bottom: 0, top: 0.02 };
/** Metres: half of it. The table is thick, so that nothing passes through it in one step. */
const TABLE_HALF_THICKNESS = 0.05;
/** Points in the head frame at which its underside touches the trunk's rim; the head's weight lies between them. */
const SUPPORT_X = [-0.015, 0.03] as const;
const SUPPORT_Y = 0.015;
const SUPPORT_RADIUS = 0.005;
const FRICTION_COEFFICIENT = 1;
/** Of the foot on the table, as the engine combines it with the table's own 0.5: rubber feet on wood (chosen). */
const FOOT_FRICTION = 0.7;
const UPRIGHT: Quaternion = fromAxisAngle([1, 0, 0], Math.PI / 2);

/**
 * Adds the robot's simplified collision shapes and the table. Shapes have no mass: masses come from the description.
 *
 * @param freeBase whether the robot stands on the table; otherwise its foot is part of it
 */
export function addShapes(world: RAPIER.World, parts: Parts, freeBase: boolean): void {
  const add = (part: BodyName, shape: RAPIER.ColliderDesc, at: Vec3, group: number, turn = UPRIGHT) => {
    const collider = shape.setTranslation(...at).setRotation(toRotation(turn));
    world.createCollider(collider.setDensity(0).setCollisionGroups(group), parts[part]);
  };
  const cylinder = ({ radius, bottom, top }: typeof HEAD_SHELL) =>
    RAPIER.ColliderDesc.cylinder((top - bottom) / 2, radius).setFriction(FRICTION_COEFFICIENT);
  const middle = ({ bottom, top }: typeof HEAD_SHELL): Vec3 => [0, 0, (bottom + top) / 2];

  const table = RAPIER.ColliderDesc.cuboid(TABLE_HALF_WIDTH, TABLE_HALF_WIDTH, TABLE_HALF_THICKNESS);
  if (freeBase) {
    const top = table
      .setTranslation(0, 0, -TABLE_HALF_THICKNESS)
      .setCollisionGroups(groups(TABLE, TRUNK | HEAD | ANTENNA | OBJECT));
    world.createCollider(top, world.createRigidBody(RAPIER.RigidBodyDesc.fixed()));
    const sole = cylinder(FOOT_SHELL).setFriction(FOOT_FRICTION);
    add("foot", sole, middle(FOOT_SHELL), groups(TRUNK, TABLE | OBJECT));
  } else add("foot", table, [0, 0, -TABLE_HALF_THICKNESS], groups(TABLE, HEAD | ANTENNA | OBJECT), [0, 0, 0, 1]);
  const trunkTouches = freeBase ? ANTENNA | OBJECT | TABLE : ANTENNA | OBJECT;
  add("trunk", cylinder(TRUNK_SHELL), middle(TRUNK_SHELL), groups(TRUNK, trunkTouches));
  add("head", cylinder(HEAD_SHELL), middle(HEAD_SHELL), groups(HEAD, TABLE | TRUNK | OBJECT));
  for (const point of headSupportPoints()) {
    add(
      "trunk",
      RAPIER.ColliderDesc.ball(SUPPORT_RADIUS).setFriction(FRICTION_COEFFICIENT),
      point,
      groups(TRUNK, HEAD | OBJECT),
    );
  }
  for (const name of ["right_antenna", "left_antenna"] as const) {
    const centre = BODIES.find((body) => body.name === name)?.centre ?? [0, 0, 0];
    const capsule = RAPIER.ColliderDesc.capsule(norm(centre), ANTENNA_RADIUS);
    add(name, capsule, centre, groups(ANTENNA, TABLE | TRUNK | OBJECT), turnFromY(centre));
  }
}

/** Points of the trunk's rim that the head's underside touches in the sleep pose; trunk frame. */
function headSupportPoints(): Vec3[] {
  const { head, trunk } = placementsOf({ joints: [], head: SLEEP_POSE.head });
  return SUPPORT_X.flatMap((x) =>
    [-SUPPORT_Y, SUPPORT_Y].map((y): Vec3 => {
      const inWorld = add(head.position, rotate(head.rotation, [x, y, HEAD_SHELL.bottom - SUPPORT_RADIUS]));
      return rotate(conjugate(trunk.rotation), subtract(inWorld, trunk.position));
    }),
  );
}

/** Rotation from the y axis, the axis of the engine's capsules, to a direction. */
function turnFromY(direction: Vec3): Quaternion {
  const [x, y, z] = normalize(direction);
  const axis = cross([0, 1, 0], [x, y, z]);
  return fromAxisAngle(scale(axis, 1 / norm(axis)), Math.acos(y));
}
