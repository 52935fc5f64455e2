import RAPIER from "@dimforge/rapier3d-simd-compat";
import { BODIES, type Body, type BodyName } from "../../../robot/description/bodies.ts";
import type { MotorsByModel } from "../../servos/motor/motor-parameters.ts";
import { toRotation, toVector } from "../engine-vectors.ts";
import { motorOf } from "./gears.ts";
import { type Inertia, inertiaBehindGears } from "./inertia.ts";
import { HINGES } from "./linkage.ts";

export type Parts = Readonly<Record<BodyName, RAPIER.RigidBody>>;

/** 1/s. Damps the rotation of a rod about its own axis, which its two ball joints leave free. */
const ROD_DAMPING = 0.5;

/**
 * Creates all rigid parts of the robot with every joint at zero. Every part then has the identity rotation, so a joint's
 * axis is the same vector in both parts that it connects.
 *
 * @param freeBase whether the foot can move; otherwise it is fixed to the table
 */
export function createParts(world: RAPIER.World, freeBase: boolean, motors: MotorsByModel): Parts {
  const parts = BODIES.map(
    (body) => [body.name, world.createRigidBody(bodyDescriptor(body, freeBase, motors))] as const,
  );
  return Object.fromEntries(parts) as Record<BodyName, RAPIER.RigidBody>;
}

/** The parts of a restored world; their handles are those of the former world. */
export function findParts(world: RAPIER.World, former: Parts): Parts {
  const parts = BODIES.map(({ name }) => [name, world.getRigidBody(former[name].handle)] as const);
  return Object.fromEntries(parts) as Record<BodyName, RAPIER.RigidBody>;
}

function bodyDescriptor(body: Body, freeBase: boolean, motors: MotorsByModel): RAPIER.RigidBodyDesc {
  const kind = body.name === "foot" && !freeBase ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
  const { moments, principalAxes } = inertiaOf(body, motors);
  return kind
    .setTranslation(...body.origin)
    .setAdditionalMassProperties(body.mass, toVector(body.centre), toVector(moments), toRotation(principalAxes))
    .setAngularDamping(body.name.startsWith("rod_") ? ROD_DAMPING : 0)
    .setCanSleep(false);
}

function inertiaOf(body: Body, motors: MotorsByModel): Inertia {
  const hinge = HINGES.find(({ child }) => child === body.name);
  if (hinge === undefined || hinge.name === "body_yaw") return body;
  // Without the rotor's inertia behind the gear, the platform flips.
  return inertiaBehindGears(body, hinge.axis, motorOf(hinge.name, motors).rotorInertia);
}
