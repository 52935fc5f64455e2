import RAPIER from "@dimforge/rapier3d-compat";
import type { BodyName } from "../../robot/description/bodies.ts";
import { BODIES } from "../../robot/description/bodies.ts";
import type { Quaternion, Vec3 } from "../../robot/description/frames.ts";
import { SLEEP } from "../../robot/description/poses.ts";
import { conjugate, fromAxisAngle, rotate } from "../../robot/kinematics/quaternion.ts";
import { add, cross, norm, normalize, scale, subtract } from "../../robot/kinematics/vector.ts";
import { toRotation } from "./linear.ts";
import type { Parts } from "./parts.ts";
import { placementsOf } from "./posture.ts";

/** Who may touch whom. The mechanism inside the robot touches nothing: its joints hold it. */
const TABLE = 1;
const TRUNK = 2;
const HEAD = 4;
const ANTENNA = 8;
const OBJECT = 16;
const groups = (own: number, others: number) => (own << 16) | others;
export const OBJECT_GROUPS = groups(OBJECT, TABLE | TRUNK | HEAD | ANTENNA | OBJECT);

/** The head's shell stands upright on the head frame; its flat underside is what comes to rest on the trunk. */
const HEAD_SHELL = { radius: 0.07, bottom: 0.02, top: 0.11 };
const TRUNK_SHELL = { radius: 0.07, bottom: -0.03, top: 0.07 };
const ANTENNA_RADIUS = 0.004;
const TABLE_HALF = { side: 1, thickness: 0.05 };
/** Where, seen from the head, its underside rests on the trunk's rim. The head's weight falls between them. */
const REST_X = [-0.015, 0.03] as const;
const REST_Y = 0.015;
const REST_RADIUS = 0.005;
const GRIP = 1;
const UPRIGHT: Quaternion = fromAxisAngle([1, 0, 0], Math.PI / 2);

/**
 * Gives the robot the simple outside that can be touched, and a table under it. Shapes weigh nothing: masses come from
 * the description.
 */
export function addShapes(world: RAPIER.World, parts: Parts): void {
  const add = (part: BodyName, shape: RAPIER.ColliderDesc, at: Vec3, group: number, turn = UPRIGHT) => {
    const collider = shape.setTranslation(...at).setRotation(toRotation(turn));
    world.createCollider(collider.setDensity(0).setCollisionGroups(group), parts[part]);
  };
  const cylinder = ({ radius, bottom, top }: typeof HEAD_SHELL) =>
    RAPIER.ColliderDesc.cylinder((top - bottom) / 2, radius).setFriction(GRIP);
  const middle = ({ bottom, top }: typeof HEAD_SHELL): Vec3 => [0, 0, (bottom + top) / 2];

  const { side, thickness } = TABLE_HALF;
  const table = RAPIER.ColliderDesc.cuboid(side, side, thickness);
  add("foot", table, [0, 0, -thickness], groups(TABLE, HEAD | ANTENNA | OBJECT), [0, 0, 0, 1]);
  add("trunk", cylinder(TRUNK_SHELL), middle(TRUNK_SHELL), groups(TRUNK, OBJECT));
  add("head", cylinder(HEAD_SHELL), middle(HEAD_SHELL), groups(HEAD, TABLE | TRUNK | OBJECT));
  for (const point of restPoints()) {
    add("trunk", RAPIER.ColliderDesc.ball(REST_RADIUS).setFriction(GRIP), point, groups(TRUNK, HEAD | OBJECT));
  }
  for (const name of ["right_antenna", "left_antenna"] as const) {
    const centre = BODIES.find((body) => body.name === name)?.centre ?? [0, 0, 0];
    const capsule = RAPIER.ColliderDesc.capsule(norm(centre), ANTENNA_RADIUS);
    add(name, capsule, centre, groups(ANTENNA, TABLE | OBJECT), turnFromY(centre));
  }
}

/** The trunk's rim, as the points that the sleeping head's underside touches; trunk frame. */
function restPoints(): Vec3[] {
  const { head, trunk } = placementsOf({ joints: [], head: SLEEP.head });
  return REST_X.flatMap((x) =>
    [-REST_Y, REST_Y].map((y): Vec3 => {
      const inWorld = add(head.position, rotate(head.rotation, [x, y, HEAD_SHELL.bottom - REST_RADIUS]));
      return rotate(conjugate(trunk.rotation), subtract(inWorld, trunk.position));
    }),
  );
}

/** Turns the y axis, along which the engine's capsules lie, into a direction. */
function turnFromY(direction: Vec3): Quaternion {
  const [x, y, z] = normalize(direction);
  const axis = cross([0, 1, 0], [x, y, z]);
  return fromAxisAngle(scale(axis, 1 / norm(axis)), Math.acos(y));
}
