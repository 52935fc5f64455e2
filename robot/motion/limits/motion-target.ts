import type { Pose } from "../../description/frames.ts";
import { poseFrom, positionOf, rotationOf } from "../../kinematics/pose.ts";
import { hasRigidLastRow, rotationRows } from "../../kinematics/rigid.ts";
import { WorkbenchError } from "../../wire/errors.ts";

/** Where the robot is to go, as a caller requested it: not checked yet. */
export interface MotionTarget {
  /** World frame, 4x4, row-major, metres; the identity is neutral. */
  readonly head: readonly number[];
  /** Right, left; radians. */
  readonly antennas: readonly number[];
  /** Radians; null follows the head with `automaticBodyYaw`, and keeps the last body yaw without it. */
  readonly bodyYaw: number | null;
  /** Whether the body follows the head when `bodyYaw` is null. */
  readonly automaticBodyYaw: boolean;
  /**
   * Whether a given `bodyYaw` yields, with `automaticBodyYaw`, to a head that turns farther than `MAX_HEAD_BODY_YAW` from it.
   * Default: false, and the head goes to the nearest pose that it can reach.
   */
  readonly bodyYawYields?: boolean;
}

/** A motion target whose head is a rigid pose and whose numbers are finite. */
interface ParsedTarget {
  readonly head: Pose;
  readonly antennas: readonly [right: number, left: number];
  readonly bodyYaw: number | null;
}

/** Deviation of the rotation rows from unit length and right angles that is accepted: a matrix with two decimals has it. */
const RIGID_TOLERANCE = 0.02;

const SEND_RIGID = "send a rigid transform: a rotation, a translation in metres, 0 0 0 1.";

const reject = (detail: string): never => {
  throw new WorkbenchError("target-refused", detail);
};

function requireFinite(values: readonly number[], count: number, field: string, unit: string): void {
  if (values.length !== count) reject(`${field} has ${values.length} numbers; send ${count}, ${unit}.`);
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) reject(`${field}[${index}] is ${values[index]}; send a finite number, ${unit}.`);
}

/**
 * Checks a target's numbers, and makes its head matrix exactly rigid.
 * @throws WorkbenchError `target-refused`, naming the field, its value and what to send, for a number that is not finite,
 *   a wrong count of numbers, or a head matrix that is not a rigid transform
 */
export function parseTarget({
  head,
  antennas,
  bodyYaw,
}: Omit<MotionTarget, "automaticBodyYaw" | "bodyYawYields">): ParsedTarget {
  requireFinite(head, 16, "head", "a 4x4 row-major matrix in metres");
  requireFinite(antennas, 2, "antennas", "right and left in radians");
  if (bodyYaw !== null && !Number.isFinite(bodyYaw))
    reject(`body_yaw is ${bodyYaw}; send a finite number, in radians.`);
  return {
    head: requireRigid(head as unknown as Pose),
    antennas: antennas as unknown as readonly [number, number],
    bodyYaw,
  };
}

function requireRigid(m: Pose): Pose {
  const { skew, stretch, volume } = rotationRows(m);
  if (stretch > RIGID_TOLERANCE) reject(`head's rotation part stretches by ${stretch.toFixed(3)}; ${SEND_RIGID}`);
  if (skew > RIGID_TOLERANCE) reject(`head's rotation part is skewed by ${skew.toFixed(3)}; ${SEND_RIGID}`);
  if (volume < 0) reject(`head's rotation part is mirrored; ${SEND_RIGID}`);
  if (!hasRigidLastRow(m)) reject(`head's last row is ${m.slice(12).join(", ")} instead of 0, 0, 0, 1; ${SEND_RIGID}`);
  return poseFrom(positionOf(m), rotationOf(m));
}
