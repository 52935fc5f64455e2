import type { Body } from "../../../robot/description/bodies.ts";
import type { Quaternion, Vec3 } from "../../../robot/description/frames.ts";
import { rotationOf } from "../../../robot/kinematics/pose.ts";
import { conjugate, rotate } from "../../../robot/kinematics/quaternion.ts";
import { cross, dot, normalize, scale, subtract } from "../../../robot/kinematics/vector.ts";

/** Principal moments of inertia in kg m2 and the rotation of their axes. */
export type Inertia = Pick<Body, "moments" | "principalAxes">;

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
export function inertiaBehindGears(body: Body, axis: Vec3, armature: number): Inertia {
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
