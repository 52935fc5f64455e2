import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { CameraScene } from "../../../robot/wire/scene/scene-frame.ts";

/** What a client asks for: `npy` is NumPy's file format with the shape (height, width, 3), blue, green, red. */
export interface FrameFormat {
  readonly type: "jpeg" | "npy";
  /** Pixels: `WIDTHS`. */
  readonly width: number;
}

/** The widths that frames can have; the height is 9/16 of it. The first is that of the real camera. */
export const WIDTHS = [1280, 640, 320] as const;

/** What a frame shows: a scene to be drawn, or the picture of a file. */
export type FrameContent =
  | { readonly kind: "scene"; readonly scene: CameraScene }
  | { readonly kind: "file"; readonly path: string };

/** Turns what is to be shown into frames. */
export interface FrameMaker {
  /**
   * @returns one frame for each format
   * @throws WorkbenchError `camera-unavailable` when the content cannot be shown
   */
  make(content: FrameContent, formats: readonly FrameFormat[]): Promise<Uint8Array[]>;
  /** Frees what it uses until the next frame. */
  stop(): void;
}

/** Why a frame cannot be made. */
export const cameraUnavailable = (reason: string): WorkbenchError =>
  new WorkbenchError("camera-unavailable", `The camera has no picture: ${reason}.`);
