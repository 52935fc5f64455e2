import type { SceneObject } from "./hand-act.ts";

/** Poses of everything in the simulated world. */
export interface Scene {
  /** Simulated seconds. */
  readonly time: number;
  /** The robot's parts and then the objects. */
  readonly names: readonly string[];
  /** Seven numbers each: position in metres and rotation as a quaternion x, y, z, w; world frame. */
  readonly poses: Float32Array;
  readonly objects: readonly SceneObject[];
}

/** An object with what a page needs to draw it. */
export interface DrawnObject {
  readonly name: string;
  readonly shape: SceneObject["shape"];
  /** #rrggbb. */
  readonly color: string;
  /** Position in metres and rotation as a quaternion x, y, z, w; world frame. */
  readonly pose: readonly number[];
}

/** The message to pages that draw the objects; sent only when one of them changed. */
export interface ObjectsFrame {
  /** Simulated seconds. */
  readonly t: number;
  readonly objects: readonly DrawnObject[];
}

/** Numbers of a pose: three of its position, four of its rotation. */
const POSE = 7;
/** Changes of a number of a pose up to this are too small to see. */
const VISIBLE_CHANGE = 2e-5;

function poseOf(name: string, { names, poses }: Scene): number[] {
  const at = POSE * names.indexOf(name);
  return Array.from(poses.subarray(at, at + POSE));
}

/** The objects of a scene, without the robot. */
export function objectsFrameOf(scene: Scene): ObjectsFrame {
  const digits = 5; // a hundredth of a millimetre
  const round = (value: number) => Number(value.toFixed(digits));
  return {
    t: scene.time,
    objects: scene.objects.map((object) => drawn(object, poseOf(object.name, scene).map(round))),
  };
}

const COLOURS = ["#e2603a", "#2f7fc4", "#3a9b63", "#d6a21f", "#8a63c9", "#c94f86"] as const;

/** The colour of an object as #rrggbb: its own, or one chosen by its name. */
export function colourOf({ name, color }: Pick<SceneObject, "name" | "color">): string {
  if (color !== undefined) return color;
  let sum = 0;
  for (const letter of name) sum = (31 * sum + (letter.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] as string;
}

const drawn = (object: SceneObject, pose: readonly number[]): DrawnObject => ({
  name: object.name,
  shape: object.shape,
  color: colourOf(object),
  pose,
});

/** Whether two frames look the same: the same objects in the same places. */
export function looksEqual(a: ObjectsFrame, b: ObjectsFrame): boolean {
  return (
    a.objects.length === b.objects.length &&
    a.objects.every(({ name, shape, color, pose }, i) => {
      const other = b.objects[i];
      return (
        other?.name === name &&
        other.color === color &&
        JSON.stringify(other.shape) === JSON.stringify(shape) &&
        pose.every((value, k) => Math.abs(value - (other.pose[k] ?? Number.NaN)) <= VISIBLE_CHANGE)
      );
    })
  );
}

/** What the camera of the simulated robot looks at. */
export interface CameraScene {
  /** The head frame in the world: position in metres and rotation as a quaternion x, y, z, w. */
  readonly head: readonly number[];
  readonly objects: readonly DrawnObject[];
}

/** The camera's part of a scene. */
export function cameraSceneOf(scene: Scene): CameraScene {
  const objects = scene.objects.map((object) => drawn(object, poseOf(object.name, scene)));
  return { head: poseOf("head", scene), objects };
}
