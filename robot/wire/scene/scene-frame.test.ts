import { expect, test } from "vitest";
import { looksEqual, objectsFrameOf, type Scene } from "./scene-frame.ts";

const scene = (x: number): Scene => ({
  time: 2,
  names: ["head", "ball"],
  poses: new Float32Array([0, 0, 0.15, 0, 0, 0, 1, x, 0, 0.02, 0, 0, 0, 1]),
  objects: [{ name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.1, position: [0, 0, 0] }],
});

test("a frame has the objects at their present poses, and not the robot", () => {
  const pose = [0.3, 0, 0.02, 0, 0, 0, 1];
  expect(objectsFrameOf(scene(0.3))).toEqual({
    t: 2,
    objects: [{ name: "ball", shape: scene(0).objects[0]?.shape, color: "#c94f86", pose }],
  });
});

test("frames look alike up to a visible difference", () => {
  const frame = objectsFrameOf(scene(0.3));
  expect(looksEqual(frame, { ...frame, t: 9 })).toBe(true);
  expect(looksEqual(frame, objectsFrameOf(scene(0.30001)))).toBe(true);
  expect(looksEqual(frame, objectsFrameOf(scene(0.3001)))).toBe(false);
  expect(looksEqual(frame, { ...frame, objects: [] })).toBe(false);
  expect(looksEqual(frame, { t: 2, objects: frame.objects.map((each) => ({ ...each, color: "#000000" })) })).toBe(
    false,
  );
});
