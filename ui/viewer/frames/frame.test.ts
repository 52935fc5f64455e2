import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Frame, frameDistance, interpolateFrames } from "./frame.ts";

const frame = (yaw: number): Frame => ({
  bodyYaw: yaw,
  stewart: [yaw, 0, 0, 0, 0, 0],
  antennas: [yaw, -yaw],
  headPosition: [0, 0, yaw],
  headRotation: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)],
  footPosition: [0, 0, 0],
  footRotation: [0, 0, 0, 1],
});

describe("interpolation between frames", () => {
  test("keeps rotations at unit length and takes the shorter arc", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (yaw, share) => {
          const target = frame(yaw);
          const flipped = { ...target, headRotation: target.headRotation.map((value) => -value) };
          const mixed = interpolateFrames(frame(0.1), flipped, share);
          expect(Math.hypot(...mixed.headRotation)).toBeCloseTo(1, 9);
          const direct = interpolateFrames(frame(0.1), target, share);
          const dot = mixed.headRotation.reduce((sum, value, i) => sum + value * (direct.headRotation[i] ?? 0), 0);
          expect(Math.abs(dot)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  test("is as far from its ends as the share says", () => {
    expect(frameDistance(interpolateFrames(frame(0), frame(1), 0.25), frame(0))).toBeCloseTo(0.25, 9);
    expect(frameDistance(frame(1), frame(1))).toBe(0);
  });
});
