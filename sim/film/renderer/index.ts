import type { Lens } from "../../../robot/camera/lens.ts";
import type { Picture } from "../../../robot/camera/picture.ts";
import type { CameraPlace } from "../../../robot/camera/projection.ts";
import type { Vec3 } from "../../../robot/description/frames.ts";
import { rotationOf } from "../../../robot/kinematics/pose.ts";
import { add, cross, normalize, scale } from "../../../robot/kinematics/vector.ts";
import { frameOfState } from "../../../ui/viewer/frames/frame-of-state.ts";
import { createRobotModel } from "../../../ui/viewer/model/robot-model.ts";
import { Canvas } from "../../camera/canvas.ts";
import { drawObjects } from "../../camera/objects.ts";
import { drawSurroundings } from "../../camera/surroundings.ts";
import type { FilmFrame } from "../../page/page-frame.ts";
import { drawModel } from "./draw-model.ts";

/** The point that the camera looks at, and direction and distance from there to the camera, metres: the dashboard's view. */
const LOOK_AT: Vec3 = [0, 0, 0.165];
const DIRECTION = normalize([0.66, 0.3, 0.16]);
const DISTANCE = 1;
/** Half the height of the view, as a share of the distance. */
const HALF_HEIGHT = 0.25;
/** Pixels in each direction that are drawn for one of the picture, so that edges are smooth. `shrink` takes the mean of 2 x 2. */
const OVERSAMPLING = 2;

/**
 * Returns a function that draws the robot from outside, with the table and the objects on it.
 * @param width, height pixels
 */
export function createFilmRenderer(width: number, height: number): (moment: FilmFrame) => Picture {
  const canvas = new Canvas(lensOf(OVERSAMPLING * width, OVERSAMPLING * height));
  canvas.place = placeOf();
  drawSurroundings(canvas);
  const [colours, depth] = [canvas.colours.slice(), canvas.depth.slice()];
  const model = createRobotModel();
  return ({ joints, head, foot, glow, objects }) => {
    canvas.colours.set(colours);
    canvas.depth.set(depth);
    model.apply(frameOfState({ headPose: head, headJoints: joints.slice(0, 7), antennas: joints.slice(7) }, foot));
    model.setGlow(glow);
    model.setEyelids(glow === "off" ? 1 : 0);
    drawObjects(canvas, objects);
    drawModel(canvas, model.root);
    return shrink(canvas.rgba, width, height);
  };
}

function lensOf(width: number, height: number): Lens {
  const f = height / 2 / HALF_HEIGHT;
  return { width, height, fx: f, fy: f, cx: width / 2, cy: height / 2, distortion: [] };
}

function placeOf(): CameraPlace {
  const forward = scale(DIRECTION, -1);
  const right = normalize(cross(forward, [0, 0, 1]));
  const down = cross(forward, right);
  const position = add(LOOK_AT, scale(DIRECTION, DISTANCE));
  const rows = ([0, 1, 2] as const).map((row) => [right[row], down[row], forward[row], 0]);
  return {
    position,
    rotation: rotationOf([...rows.flat(), 0, 0, 0, 1] as unknown as Parameters<typeof rotationOf>[0]),
  };
}

/** The mean of two pixels in each direction for each one of the picture. */
function shrink(large: Uint8Array, width: number, height: number): Picture {
  const rgba = new Uint8Array(4 * width * height).fill(255);
  const row = 4 * OVERSAMPLING * width;
  for (let v = 0; v < height; v += 1) {
    for (let u = 0; u < width; u += 1) {
      const from = OVERSAMPLING * (v * row + 4 * u);
      const to = 4 * (v * width + u);
      for (let at = 0; at < 3; at += 1)
        rgba[to + at] =
          ((large[from + at] as number) +
            (large[from + at + 4] as number) +
            (large[from + at + row] as number) +
            (large[from + at + row + 4] as number)) >>
          2;
    }
  }
  return { width, height, rgba };
}
