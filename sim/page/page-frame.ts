import type { DrawnObject } from "../../robot/wire/scene/scene-frame.ts";

/** The robot at one moment, as robot-sim sends it to its page. */
export interface PageFrame {
  /** Simulated seconds. */
  readonly t: number;
  /** Radians, in the order of `JOINTS`. */
  readonly joints: readonly number[];
  /** Head pose in the frame of the foot, 4x4 row-major, metres; the identity is neutral. */
  readonly head: readonly number[];
  /** Where the foot is: metres, and a quaternion [x, y, z, w]. */
  readonly foot: { readonly position: readonly number[]; readonly rotation: readonly number[] };
  /** The colour of the eyes: `fault` when a servo has a hardware error, `off` when no motor has torque. */
  readonly glow: "on" | "off" | "fault";
  readonly plugged: boolean;
}

/** The robot and the objects beside it at one moment, as films draw them. */
export interface FilmFrame extends PageFrame {
  readonly objects: readonly DrawnObject[];
}
