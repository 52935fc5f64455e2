import { HEAD_CAMERA_LENS, scaledLens } from "../../robot/camera/lens.ts";
import type { Picture } from "../../robot/camera/picture.ts";
import { cameraInHead } from "../../robot/camera/projection.ts";
import type { CameraScene } from "../../robot/wire/scene/scene-frame.ts";
import { Canvas } from "./canvas.ts";
import { drawObjects } from "./objects.ts";
import { drawSurroundings } from "./surroundings.ts";

/**
 * Returns a function that draws what the camera in the head sees, `width` pixels wide. It reuses its memory: a picture is
 * valid until the next one.
 */
export function createRenderer(width: number = HEAD_CAMERA_LENS.width): (scene: CameraScene) => Picture {
  const canvas = new Canvas(scaledLens(HEAD_CAMERA_LENS, width));
  return ({ head, objects }) => {
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = head;
    canvas.place = cameraInHead({ position: [x, y, z], rotation: [qx, qy, qz, qw] });
    drawSurroundings(canvas);
    drawObjects(canvas, objects);
    return { width: canvas.lens.width, height: canvas.lens.height, rgba: canvas.rgba };
  };
}
