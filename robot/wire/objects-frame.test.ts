import { expect, test } from "vitest";
import { looksLike, objectsOf, type Scene } from "./objects-frame.ts";

const scene = (x: number): Scene => ({
  time: 2,
  names: ["head", "ball"],
  poses: new Float32Array([0, 0, 0.15, 0, 0, 0, 1, x, 0, 0.02, 0, 0, 0, 1]),
  objects: [{ name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.1, position: [0, 0, 0] }],
});

test("a frame has the objects where they are, not where they were put, and not the robot", () => {
  const pose = [0.3, 0, 0.02, 0, 0, 0, 1];
  expect(objectsOf(scene(0.3))).toEqual({ t: 2, objects: [{ name: "ball", shape: scene(0).objects[0]?.shape, pose }] });
});

test("frames look alike until somebody could see a difference", () => {
  const frame = objectsOf(scene(0.3));
  expect(looksLike(frame, { ...frame, t: 9 })).toBe(true);
  expect(looksLike(frame, objectsOf(scene(0.30001)))).toBe(true);
  expect(looksLike(frame, objectsOf(scene(0.3001)))).toBe(false);
  expect(looksLike(frame, { ...frame, objects: [] })).toBe(false);
});
