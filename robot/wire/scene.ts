import { z } from "zod";
import type { Vec3 } from "../description/frames.ts";
import { WorkbenchError } from "./errors.ts";

const Vector = z.tuple([z.number(), z.number(), z.number()]).readonly();

/** A thing beside the simulated robot: kg, and the position of its middle in the world frame, metres. */
export const SceneObject = z.object({
  name: z.string().min(1).max(60),
  shape: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ball"), radius: z.number().positive() }),
    z.object({ kind: z.literal("box"), size: Vector.describe("Edges along x, y and z, metres") }),
  ]),
  mass: z.number().positive().describe("kg"),
  position: Vector.describe("Of its middle, world frame, metres"),
});
export type SceneObject = Readonly<z.infer<typeof SceneObject>>;

/** What a hand does, as it is sent; `actOf` makes a `Push` or a `Pull` of it. */
export const HandAct = z.object({
  body: z.string().describe("A part of the robot, for example head or right_antenna, or an object"),
  point: Vector.optional().describe("Where, world frame, metres; the body's centre of mass when absent"),
  force: Vector.optional().describe("Pushes: newtons, world frame"),
  towards: Vector.optional().describe("Pulls: where the point shall come, world frame, metres"),
});

interface Grip {
  readonly body: string;
  readonly point?: Vec3 | undefined;
}

/** A force in N on a body at a point (its centre of mass when absent), both in the world frame, metres. */
export interface Push extends Grip {
  readonly force: Vec3;
}

/**
 * Takes hold of a body at a point (its centre of mass when absent) and brings that point to a place, world frame, metres.
 * The hand keeps its hold while it pulls at the same body: `point` counts when it takes hold.
 */
export interface Pull extends Grip {
  readonly towards: Vec3;
}

/** @throws WorkbenchError `bad-request` unless exactly one of force and place is given */
export function actOf({ force, towards, ...grip }: z.infer<typeof HandAct>): Push | Pull {
  if (force !== undefined && towards === undefined) return { ...grip, force };
  if (towards !== undefined && force === undefined) return { ...grip, towards };
  throw new WorkbenchError(
    "bad-request",
    'A hand pushes or pulls: send either "force": [x, y, z] in N or "towards": [x, y, z] in m.',
  );
}

/** Where everything is in the simulated world. */
export interface Scene {
  /** Simulated seconds. */
  readonly time: number;
  /** The robot's parts and then the objects. */
  readonly names: readonly string[];
  /** Seven numbers each: position in metres and rotation as a quaternion x, y, z, w; world frame. */
  readonly poses: Float32Array;
  readonly objects: readonly SceneObject[];
}

/** An object as a picture needs it. */
export interface DrawnObject {
  readonly name: string;
  readonly shape: SceneObject["shape"];
  /** Position in metres and rotation as a quaternion x, y, z, w; world frame. */
  readonly pose: readonly number[];
}

/** What is told to pages that draw the objects, and only when something about them changed. */
export interface ObjectsFrame {
  /** Simulated seconds. */
  readonly t: number;
  readonly objects: readonly DrawnObject[];
}

/** Numbers of a pose: three of its position, four of its rotation. */
const POSE = 7;
/** The largest change of a pose's number that nobody can see. */
const INVISIBLE = 2e-5;

/** The objects of a scene, without the robot. */
export function objectsOf({ time, names, poses, objects }: Scene): ObjectsFrame {
  const digits = 5; // a hundredth of a millimetre
  const poseOf = (name: string) => {
    const at = POSE * names.indexOf(name);
    return Array.from(poses.subarray(at, at + POSE), (value) => Number(value.toFixed(digits)));
  };
  return { t: time, objects: objects.map(({ name, shape }) => ({ name, shape, pose: poseOf(name) })) };
}

/** Whether two frames look alike: the same objects, each where it was. */
export function looksLike(a: ObjectsFrame, b: ObjectsFrame): boolean {
  return (
    a.objects.length === b.objects.length &&
    a.objects.every(({ name, shape, pose }, i) => {
      const other = b.objects[i];
      return (
        other?.name === name &&
        JSON.stringify(other.shape) === JSON.stringify(shape) &&
        pose.every((value, k) => Math.abs(value - (other.pose[k] ?? Number.NaN)) <= INVISIBLE)
      );
    })
  );
}
