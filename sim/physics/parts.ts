import RAPIER from "@dimforge/rapier3d-compat";
import { BODIES, type Body, type BodyName } from "../../robot/description/bodies.ts";
import { toRotation, toVector } from "./linear.ts";
import { type Inertia, inertiaBehindGears } from "./mass.ts";
import { HINGES } from "./plan.ts";

export type Parts = Readonly<Record<BodyName, RAPIER.RigidBody>>;

/**
 * Rotor inertia of a 288:1 gearbox seen at its output, kg m2; without it the platform jumps to another assembly. The
 * antennas' 77:1 gearbox multiplies the same rotor by the square of a smaller ratio.
 */
const ARMATURE = 1e-3;
const ANTENNA_ARMATURE = ARMATURE * (77 / 288.35) ** 2;
/** Damps the one motion that nothing else holds: a rod spinning about itself between its ball joints, 1/s. */
const ROD_DAMPING = 0.5;

/**
 * All rigid parts of the robot with every joint at zero. There every part has the identity rotation, which makes a
 * joint's axis the same vector in both parts it joins.
 */
export function createParts(world: RAPIER.World): Parts {
  const parts = BODIES.map((body) => [body.name, world.createRigidBody(describe(body))] as const);
  return Object.fromEntries(parts) as Record<BodyName, RAPIER.RigidBody>;
}

/** The parts of a world that was restored from a snapshot, by the handles they had. */
export function findParts(world: RAPIER.World, former: Parts): Parts {
  const parts = BODIES.map(({ name }) => [name, world.getRigidBody(former[name].handle)] as const);
  return Object.fromEntries(parts) as Record<BodyName, RAPIER.RigidBody>;
}

function describe(body: Body): RAPIER.RigidBodyDesc {
  const kind = body.name === "foot" ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
  const { moments, principalAxes } = inertiaOf(body);
  return kind
    .setTranslation(...body.origin)
    .setAdditionalMassProperties(body.mass, toVector(body.centre), toVector(moments), toRotation(principalAxes))
    .setAngularDamping(body.name.startsWith("rod_") ? ROD_DAMPING : 0)
    .setCanSleep(false);
}

function inertiaOf(body: Body): Inertia {
  const hinge = HINGES.find(({ child }) => child === body.name);
  if (hinge === undefined || hinge.name === "body_yaw") return body;
  const armature = hinge.name.startsWith("stewart_") ? ARMATURE : ANTENNA_ARMATURE;
  return inertiaBehindGears(body, hinge.axis, armature);
}
