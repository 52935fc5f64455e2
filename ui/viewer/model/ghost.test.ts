import { expect, test } from "vitest";
import { type Frame, IMPERCEPTIBLE } from "../frames/frame.ts";
import { createGhost } from "./ghost.ts";

const frame = (bodyYaw: number): Frame => ({
  bodyYaw,
  stewart: [0, 0, 0, 0, 0, 0],
  antennas: [0, 0],
  headPosition: [0, 0, 0],
  headRotation: [0, 0, 0, 1],
  footPosition: [0, 0, 0],
  footRotation: [0, 0, 0, 1],
});

test("slow motion is drawn as soon as its small steps add up", () => {
  const ghost = createGhost();
  expect(ghost.apply(frame(0))).toBe(true);
  const drawn = Array.from({ length: 9 }, (_, step) => ghost.apply(frame(((step + 1) * IMPERCEPTIBLE) / 2)));
  expect(drawn).toEqual([false, false, true, false, false, true, false, false, true]);
});

test("the picture changes when the outline appears and when it vanishes, and then no more", () => {
  const ghost = createGhost();
  expect(ghost.apply(null)).toBe(false);
  expect(ghost.apply(frame(0))).toBe(true);
  expect(ghost.apply(frame(0))).toBe(false);
  expect(ghost.apply(null)).toBe(true);
  expect(ghost.apply(null)).toBe(false);
  expect(ghost.apply(frame(0))).toBe(true);
});
