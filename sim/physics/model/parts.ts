import RAPIER from "@dimforge/rapier3d-simd-compat";
import { BODIES, type Body, type BodyName } from "../../../robot/description/bodies.ts";
import type { Quaternion, Vec3 } from "../../../robot/description/frames.ts";
import { rotationOf } from "../../../robot/kinematics/pose.ts";
import { conjugate, rotate } from "../../../robot/kinematics/quaternion.ts";
import { cross, dot, normalize, scale, subtract } from "../../../robot/kinematics/vector.ts";
import { type MotorsByModel, motorOf } from "../../servos/motor/motor-parameters.ts";
import { toRotation, toVector } from "../engine-vectors.ts";
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

/** Principal moments of inertia in kg m2 and the rotation of their axes. */
type Inertia = Pick<Body, "moments" | "principalAxes">;

function inertiaOf(body: Body, motors: MotorsByModel): Inertia {
  const hinge = HINGES.find(({ child }) => child === body.name);
  if (hinge === undefined || hinge.name === "body_yaw") return body;
  // Without the rotor's inertia behind the gear, the platform flips.
  return inertiaBehindGears(body, hinge.axis, motorOf(hinge.name, motors).rotorInertia);
}

/**
 * Share of the rotor inertia that is added about the two other axes. Without it, an arm of a few grams that turns while
 * the body yaws would act as a gyroscope. The six arms' shares about the vertical replace the body's own gearbox.
 */
const CROSS_SHARE = 1 / 6;

/**
 * A part's inertia at the output of its gearbox: the rotor, which turns faster by the gear ratio, adds `armature` (kg m2)
 * about the joint's unit `axis`. The principal axes become radial, tangential and the joint's axis; the products of
 * inertia that this ignores are below 1e-5 kg m2, small compared to the armature.
 */
function inertiaBehindGears(body: Body, axis: Vec3, armature: number): Inertia {
  const radial = normalize(subtract(body.centre, scale(axis, dot(body.centre, axis))));
  const tangential = cross(axis, radial);
  const moment = (direction: Vec3) => {
    const [x, y, z] = rotate(conjugate(body.principalAxes), direction);
    return body.moments[0] * x * x + body.moments[1] * y * y + body.moments[2] * z * z;
  };
  const across = CROSS_SHARE * armature;
  return {
    moments: [moment(radial) + across, moment(tangential) + across, moment(axis) + armature],
    principalAxes: rotationFromAxes(radial, tangential, axis),
  };
}

/** The rotation that maps the coordinate axes to three orthonormal, right-handed vectors. */
function rotationFromAxes(x: Vec3, y: Vec3, z: Vec3): Quaternion {
  return rotationOf([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, 0, 0, 0, 1]);
}
