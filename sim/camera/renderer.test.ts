import { describe, expect, test } from "vitest";
import { HEAD_CAMERA_LENS, scaledLens } from "../../robot/camera/lens.ts";
import type { Picture } from "../../robot/camera/picture.ts";
import { projectPoint } from "../../robot/camera/projection.ts";
import { cameraAtPose } from "../../robot/camera/testing/camera-at-pose.ts";
import type { Vec3 } from "../../robot/description/frames.ts";
import { HEAD_HEIGHT } from "../../robot/description/geometry.ts";
import { poseFromRpy, type Rpy, rotationOf } from "../../robot/kinematics/pose.ts";
import { colourOf, type DrawnObject } from "../../robot/wire/scene/scene-frame.ts";
import { createRenderer } from "./renderer.ts";

const WIDTH = 640;
const LENS = scaledLens(HEAD_CAMERA_LENS, WIDTH);
const draw = createRenderer(WIDTH);
const ball = (name: string, position: Vec3, radius: number): DrawnObject => ({
  name,
  shape: { kind: "ball", radius },
  color: colourOf({ name }),
  pose: [...position, 0, 0, 0, 1],
});
const box = (name: string, position: Vec3, size: Vec3): DrawnObject => ({
  name,
  shape: { kind: "box", size },
  color: colourOf({ name }),
  pose: [...position, 0, 0, 0, 1],
});
const headAt = (rpy: Partial<Rpy>) => {
  const pose = poseFromRpy([0, 0, HEAD_HEIGHT], { roll: 0, pitch: 0, yaw: 0, ...rpy });
  return { pose, head: [0, 0, HEAD_HEIGHT, ...rotationOf(pose)] };
};
const at = ({ rgba, width }: Picture, u: number, v: number) => [
  ...rgba.subarray(4 * (v * width + u), 4 * (v * width + u) + 3),
];

/** The pixels that differ from the same picture without the object, and are not merely in its shadow. */
function pixelsOf(head: readonly number[], object: DrawnObject) {
  const before = Uint8Array.from(draw({ head, objects: [] }).rgba);
  const { rgba } = draw({ head, objects: [object] });
  const changed: { u: number; v: number }[] = [];
  for (let pixel = 0; pixel < rgba.length / 4; pixel += 1)
    if ([0, 1, 2].some((channel) => isOther(rgba[4 * pixel + channel], before[4 * pixel + channel])))
      changed.push({ u: pixel % WIDTH, v: Math.floor(pixel / WIDTH) });
  return changed;
}
const isOther = (after = 0, before = 0) => after !== before && after !== Math.trunc(before * 0.66);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("an object is where the camera projects it", () => {
  const place: Vec3 = [0.8, 0.1, 0.3];
  test.each<Partial<Rpy>>([{}, { yaw: 0.3 }, { yaw: -0.2, pitch: -0.2 }, { roll: 0.5 }, { pitch: -0.3, roll: -0.3 }])(
    "for a head turned by %o",
    (rpy) => {
      const { head, pose } = headAt(rpy);
      for (const object of [ball("it", place, 0.03), box("it", place, [0.03, 0.03, 0.03])]) {
        const seen = pixelsOf(head, object);
        const [u = 0, v = 0] = projectPoint(LENS, cameraAtPose(pose), place) ?? [];
        expect(seen.length).toBeGreaterThan(50);
        expect(Math.abs(mean(seen.map((pixel) => pixel.u + 0.5)) - u)).toBeLessThan(1.5);
        expect(Math.abs(mean(seen.map((pixel) => pixel.v + 0.5)) - v)).toBeLessThan(1.5);
      }
    },
  );

  test("in the size of its distance", () => {
    const { head } = headAt({});
    const seen = pixelsOf(head, ball("it", place, 0.03));
    const columns = new Set(seen.map(({ u }) => u));
    const metres = place[0] - 0.0395;
    expect(Math.abs(columns.size - (2 * 0.03 * LENS.fx) / metres)).toBeLessThan(3);
  });
});

test("a near object hides a far one, in whatever order they are", () => {
  const { head, pose } = headAt({});
  const near = ball("near", [0.4, 0, 0.23], 0.02);
  const far = ball("far away", [0.8, 0, 0.23], 0.04);
  expect(near.color).not.toBe(far.color);
  const [u = 0, v = 0] = (projectPoint(LENS, cameraAtPose(pose), [0.4, 0.01, 0.23]) ?? []).map(Math.floor);
  const alone = at(draw({ head, objects: [near] }), u, v);
  for (const objects of [
    [near, far],
    [far, near],
  ])
    expect(at(draw({ head, objects }), u, v)).toEqual(alone);
  expect(at(draw({ head, objects: [far] }), u, v)).not.toEqual(alone);
});

test("an object throws a shadow on the table, away from the lamp", () => {
  const { head, pose } = headAt({ pitch: 0.5 });
  const position: Vec3 = [0.3, 0, 0.06];
  // The lamp stands in the direction (0.24, 0.42, 0.58).
  const shadow: Vec3 = [0.3 - (0.24 / 0.58) * 0.06, -(0.42 / 0.58) * 0.06, 0];
  const [u = 0, v = 0] = (projectPoint(LENS, cameraAtPose(pose), shadow) ?? []).map(Math.floor);
  const bright = at(draw({ head, objects: [] }), u, v);
  const dark = at(draw({ head, objects: [ball("it", position, 0.02)] }), u, v);
  expect(dark).toEqual(bright.map((value) => Math.trunc(value * 0.66)));
});

test("a box in front of the camera is drawn when the camera is inside the sphere around the box", () => {
  const { head } = headAt({});
  const book = box("book", [0.2, 0, HEAD_HEIGHT + 0.0525], [0.02, 0.3, 0.4]);
  const { width, height } = draw({ head, objects: [] });
  expect(pixelsOf(head, book).length).toBeGreaterThan(0.5 * width * height);
});

test("a box throws its shadow on the table right beside it", () => {
  const { head, pose } = headAt({ pitch: 0.5 });
  const cube = box("cube", [0.35, 0.1, 0.05], [0.1, 0.1, 0.1]);
  // The lamp stands towards positive y; this point is 5 mm from the side of the cube that the lamp does not reach.
  const [u = 0, v = 0] = (projectPoint(LENS, cameraAtPose(pose), [0.35, 0.045, 0]) ?? []).map(Math.floor);
  const bright = at(draw({ head, objects: [] }), u, v);
  expect(at(draw({ head, objects: [cube] }), u, v)).toEqual(bright.map((value) => Math.trunc(value * 0.66)));
});

test("equal scenes give equal pictures, and every direction has something to see", () => {
  for (const pitch of [-0.7, 0, 0.7]) {
    for (const yaw of [0, 1.5, 3]) {
      const { head } = headAt({ pitch, yaw });
      const first = Uint8Array.from(draw({ head, objects: [] }).rgba);
      expect(Buffer.compare(draw({ head, objects: [] }).rgba, first)).toBe(0);
      expect(new Set(new Int32Array(first.buffer)).size).toBeGreaterThan(1);
    }
  }
});

test("an object that touches the camera neither fails nor shows up when it is behind", () => {
  const { head } = headAt({});
  expect(pixelsOf(head, ball("it", [0.0395, 0, HEAD_HEIGHT + 0.0525], 0.05))).toEqual([]);
  expect(pixelsOf(head, ball("it", [-0.3, 0, 0.4], 0.02))).toEqual([]);
});
