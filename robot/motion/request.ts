import type { Pose, Vec3 } from "../description/frames.ts";
import { poseFrom, positionOf, rotationOf } from "../kinematics/pose.ts";
import { cross, dot, norm } from "../kinematics/vector.ts";
import { WorkbenchError } from "../wire/errors.ts";

/** Where the robot shall be, as it was asked for: nothing in it is checked yet. */
export interface Request {
  /** World frame, 4x4, row-major, metres; the identity is neutral. */
  readonly head: readonly number[];
  /** Right, left; radians. */
  readonly antennas: readonly number[];
  /** Radians; null leaves it to the automatic body yaw, or as it was last asked for without that. */
  readonly bodyYaw: number | null;
  /** Whether the body follows the head when `bodyYaw` is null. */
  readonly automaticBodyYaw: boolean;
}

/** The request as a rigid pose and finite numbers. */
export interface SoundRequest {
  readonly head: Pose;
  readonly antennas: readonly [right: number, left: number];
  readonly bodyYaw: number | null;
}

/** How far rows of the rotation part may be from unit length and right angles: a matrix printed with two decimals. */
const RIGID = 0.02;

const SEND_RIGID = "send a rigid transform: a rotation, a translation in metres, 0 0 0 1.";

const refuse = (detail: string): never => {
  throw new WorkbenchError("target-refused", detail);
};

function finite(values: readonly number[], count: number, field: string, unit: string): void {
  if (values.length !== count) refuse(`${field} has ${values.length} numbers; send ${count}, ${unit}.`);
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) refuse(`${field}[${index}] is ${values[index]}; send a finite number, ${unit}.`);
}

/**
 * Refuses what is not a target at all.
 * @throws WorkbenchError `target-refused`, naming the field, its value and what to send: not finite, the wrong count,
 *   or a head matrix that is no rigid transform
 */
export function soundRequest({ head, antennas, bodyYaw }: Omit<Request, "automaticBodyYaw">): SoundRequest {
  finite(head, 16, "head", "a 4x4 row-major matrix in metres");
  finite(antennas, 2, "antennas", "right and left in radians");
  if (bodyYaw !== null && !Number.isFinite(bodyYaw))
    refuse(`body_yaw is ${bodyYaw}; send a finite number, in radians.`);
  return { head: rigid(head as unknown as Pose), antennas: antennas as unknown as readonly [number, number], bodyYaw };
}

function rigid(m: Pose): Pose {
  const rows: readonly Vec3[] = [
    [m[0], m[1], m[2]],
    [m[4], m[5], m[6]],
    [m[8], m[9], m[10]],
  ];
  const [x, y, z] = rows as readonly [Vec3, Vec3, Vec3];
  const skew = Math.max(Math.abs(dot(x, y)), Math.abs(dot(y, z)), Math.abs(dot(z, x)));
  const stretch = Math.max(...rows.map((row) => Math.abs(norm(row) - 1)));
  if (stretch > RIGID) refuse(`head's rotation part stretches by ${stretch.toFixed(3)}; ${SEND_RIGID}`);
  if (skew > RIGID) refuse(`head's rotation part is skewed by ${skew.toFixed(3)}; ${SEND_RIGID}`);
  if (dot(cross(x, y), z) < 0) refuse(`head's rotation part is mirrored; ${SEND_RIGID}`);
  if (Math.hypot(m[12], m[13], m[14], m[15] - 1) > RIGID)
    refuse(`head's last row is ${m.slice(12).join(", ")} instead of 0, 0, 0, 1; ${SEND_RIGID}`);
  return poseFrom(positionOf(m), rotationOf(m));
}
