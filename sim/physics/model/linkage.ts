import { BODIES, type BodyName } from "../../../robot/description/bodies.ts";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { LEFT_ANTENNA, LEGS, RIGHT_ANTENNA } from "../../../robot/description/geometry.ts";
import { JOINTS, type JointName } from "../../../robot/description/joints.ts";
import { add, subtract } from "../../../robot/kinematics/vector.ts";

/** Each part's origin with every joint at zero, world frame, metres. */
export const ORIGINS = Object.fromEntries(BODIES.map(({ name, origin }) => [name, origin])) as Readonly<
  Record<BodyName, Vec3>
>;

/** A motorised joint: it turns `child` relative to `parent` about a unit `axis` at the child's origin. */
export interface Hinge {
  readonly name: JointName;
  readonly parent: BodyName;
  readonly child: BodyName;
  readonly axis: Vec3;
  /** The child's origin in the parent, metres. */
  readonly anchor: Vec3;
  /** Angles of the mechanical stops, radians; null for a joint that turns without limit. */
  readonly stops: readonly [lower: number, upper: number] | null;
}

/** A leg of the platform: the rod connects the arm's elbow and the head, with a ball joint at each end. */
interface LegLinkage {
  readonly arm: BodyName;
  readonly rod: BodyName;
  /** The elbow in the arm's frame; in the rod's frame it is the origin. */
  readonly elbow: Vec3;
  /** The upper ball joint in the rod's frame and in the head's. */
  readonly top: Vec3;
  readonly ball: Vec3;
}

const LEG_NUMBERS = [1, 2, 3, 4, 5, 6] as const;

function hinge(name: JointName, parent: BodyName, child: BodyName, axis: Vec3, stops: Hinge["stops"]): Hinge {
  return { name, parent, child, axis, anchor: subtract(ORIGINS[child], ORIGINS[parent]), stops };
}

/** The nine motorised joints in the order of `JOINTS`. */
export const HINGES: readonly Hinge[] = [
  hinge("body_yaw", "foot", "trunk", [0, 0, 1], JOINTS[0].range),
  ...LEGS.map(({ axis }, index) => {
    const n = LEG_NUMBERS[index] ?? 1;
    return hinge(`stewart_${n}`, "trunk", `arm_${n}`, axis, JOINTS[n].range);
  }),
  hinge("right_antenna", "head", "right_antenna", RIGHT_ANTENNA.axis, null),
  hinge("left_antenna", "head", "left_antenna", LEFT_ANTENNA.axis, null),
];

/** Legs 1 to 6. */
export const LEG_LINKAGES: readonly LegLinkage[] = LEGS.map(({ motor, elbow, ball }, index) => {
  const n = LEG_NUMBERS[index] ?? 1;
  const top = subtract(add(ORIGINS.head, ball), elbow);
  return { arm: `arm_${n}`, rod: `rod_${n}`, elbow: subtract(elbow, motor), top, ball };
});
