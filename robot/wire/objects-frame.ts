import type { SceneObject } from "./scene.ts";

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
