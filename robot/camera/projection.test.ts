import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Vec3 } from "../description/frames.ts";
import { CAMERA, HEAD_HEIGHT } from "../description/geometry.ts";
import { poseFromRpy } from "../kinematics/pose.ts";
import { rotate } from "../kinematics/quaternion.ts";
import { add, normalize, scale } from "../kinematics/vector.ts";
import { HEAD_CAMERA_LENS, type Lens, pixelOf, pointAtPixel, scaledLens, type Vec2 } from "./lens.ts";
import { type CameraPlace, projectPoint } from "./projection.ts";
import { cameraAtPose } from "./testing/camera-at-pose.ts";

/** The unit vector, world frame, from the camera to what a pixel shows. */
function directionOfPixel(lens: Lens, camera: CameraPlace, pixel: Vec2): Vec3 {
  const [x, y] = pointAtPixel(lens, pixel);
  return normalize(rotate(camera.rotation, [x, y, 1]));
}

const angle = (degrees: number) => (degrees * Math.PI) / 180;
const neutral = poseFromRpy([0, 0, HEAD_HEIGHT], { roll: 0, pitch: 0, yaw: 0 });
const height = HEAD_HEIGHT + CAMERA.position[2];

describe("the neutral head's camera", () => {
  const camera = cameraAtPose(neutral);

  test("sees a point straight ahead at the principal point", () => {
    const [u, v] = projectPoint(HEAD_CAMERA_LENS, camera, [1, 0, height]) ?? [0, 0];
    expect(u).toBeCloseTo(HEAD_CAMERA_LENS.cx, 6);
    expect(v).toBeCloseTo(HEAD_CAMERA_LENS.cy, 6);
  });

  // An ideal lens shows a point 10 degrees aside at f tan 10 = 117.7 pixels; this one bends it by less than 4 more.
  test.each([
    ["left", [1, Math.tan(angle(10)), 0], [-117.7, 0]],
    ["right", [1, -Math.tan(angle(10)), 0], [117.7, 0]],
    ["above", [1, 0, Math.tan(angle(10))], [0, -117.7]],
    ["below", [1, 0, -Math.tan(angle(10))], [0, 117.7]],
  ] as const)("sees a point to the %s there in the picture", (_, [x, y, z], [du, dv]) => {
    const point = add([CAMERA.position[0], 0, height], [x, y, z]);
    const [u, v] = projectPoint(HEAD_CAMERA_LENS, camera, point) ?? [0, 0];
    expect(Math.abs(u - HEAD_CAMERA_LENS.cx - du)).toBeLessThan(4);
    expect(Math.abs(v - HEAD_CAMERA_LENS.cy - dv)).toBeLessThan(4);
  });

  test("does not see what is behind it", () => {
    expect(projectPoint(HEAD_CAMERA_LENS, camera, [-1, 0, height])).toBeNull();
  });
});

test("a head that looks left sees what is on the left in the middle; one that looks down, the table", () => {
  const left = cameraAtPose(poseFromRpy([0, 0, HEAD_HEIGHT], { roll: 0, pitch: 0, yaw: angle(90) }));
  expect(projectPoint(HEAD_CAMERA_LENS, left, [0, 1, height])?.[0]).toBeCloseTo(HEAD_CAMERA_LENS.cx, 6);
  const down = cameraAtPose(poseFromRpy([0, 0, HEAD_HEIGHT], { roll: 0, pitch: angle(30), yaw: 0 }));
  const [x, y, z] = directionOfPixel(HEAD_CAMERA_LENS, down, [HEAD_CAMERA_LENS.cx, HEAD_CAMERA_LENS.cy]);
  expect([x, y, z]).toEqual([
    expect.closeTo(Math.cos(angle(30))),
    expect.closeTo(0),
    expect.closeTo(-Math.sin(angle(30))),
  ]);
});

const pixel = fc.record({
  u: fc.double({ min: 0, max: 1280, noNaN: true }),
  v: fc.double({ min: 0, max: 720, noNaN: true }),
});
const turn = (limit: number) => fc.double({ min: -angle(limit), max: angle(limit), noNaN: true });

test("projecting is the inverse of looking through a pixel, for every pixel and head", () => {
  const head = fc.record({ roll: turn(40), pitch: turn(40), yaw: turn(180) });
  fc.assert(
    fc.property(pixel, head, fc.double({ min: 0.05, max: 5, noNaN: true }), ({ u, v }, rpy, metres) => {
      const camera = cameraAtPose(poseFromRpy([0.01, -0.02, HEAD_HEIGHT], rpy));
      const point = add(camera.position, scale(directionOfPixel(HEAD_CAMERA_LENS, camera, [u, v]), metres));
      const seen = projectPoint(HEAD_CAMERA_LENS, camera, point);
      expect(seen?.[0]).toBeCloseTo(u, 3);
      expect(seen?.[1]).toBeCloseTo(v, 3);
    }),
  );
});

test("smaller pictures show the same", () => {
  const small = scaledLens(HEAD_CAMERA_LENS, 320);
  expect([small.width, small.height]).toEqual([320, 180]);
  fc.assert(
    fc.property(pixel, ({ u, v }) => {
      const [x, y] = pixelOf(small, pointAtPixel(HEAD_CAMERA_LENS, [u, v]));
      expect(x).toBeCloseTo(u / 4, 3);
      expect(y).toBeCloseTo(v / 4, 3);
    }),
  );
});
