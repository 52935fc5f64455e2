import { expect, test } from "vitest";
import { frameOfState } from "./frame-of-state.ts";

test("a robot state becomes a frame: the row-major matrix is split into offset and rotation", () => {
  const frame = frameOfState({
    headPose: [0, -1, 0, 0.01, 1, 0, 0, 0.02, 0, 0, 1, 0.03, 0, 0, 0, 1],
    headJoints: [0.5, 1, 2, 3, 4, 5, 6],
    antennas: [-0.1, 0.1],
  });
  expect(frame.bodyYaw).toBe(0.5);
  expect(frame.stewart).toEqual([1, 2, 3, 4, 5, 6]);
  expect(frame.headPosition).toEqual([0.01, 0.02, 0.03]);
  const [x, y, z, w] = frame.headRotation;
  expect([x, y]).toEqual([0, 0]);
  expect(z).toBeCloseTo(Math.SQRT1_2, 9);
  expect(w).toBeCloseTo(Math.SQRT1_2, 9);
});
