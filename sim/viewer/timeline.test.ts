import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blend, distance, type Frame, Timeline } from "./timeline.ts";

const frame = (yaw: number): Frame => ({
  bodyYaw: yaw,
  stewart: [yaw, 0, 0, 0, 0, 0],
  antennas: [yaw, -yaw],
  headPosition: [0, 0, yaw],
  headRotation: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)],
});

describe("a timeline", () => {
  test("knows nothing before the first state", () => {
    expect(new Timeline(blend).sample(5)).toBeUndefined();
  });

  test("glides at an even pace though states arrive unevenly", () => {
    const timeline = new Timeline(blend);
    const late = [0, 0.012, 0.003, 0.02, 0.001];
    late.forEach((delay, i) => {
      timeline.push(i * 0.04, frame(i), 100 + i * 0.04 + delay);
    });
    const yaws = [100.06, 100.07, 100.08, 100.09].map((now) => timeline.sample(now)?.bodyYaw ?? Number.NaN);
    const steps = yaws.slice(1).map((yaw, i) => yaw - (yaws[i] ?? Number.NaN));
    for (const step of steps) expect(step).toBeCloseTo(0.25, 3);
  });

  test("stays at the last state when no more come", () => {
    const timeline = new Timeline(blend);
    timeline.push(0, frame(1), 10);
    timeline.push(0.04, frame(2), 10.04);
    expect(timeline.sample(20)?.bodyYaw).toBe(2);
  });

  test("starts over when the sender's clock jumps back", () => {
    const timeline = new Timeline(blend);
    timeline.push(500, frame(1), 10);
    timeline.push(0, frame(2), 10.1);
    expect(timeline.sample(10.1)?.bodyYaw).toBe(2);
  });
});

describe("a blend", () => {
  test("keeps rotations at unit length and takes the shorter arc", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (yaw, share) => {
          const there = frame(yaw);
          const flipped = { ...there, headRotation: there.headRotation.map((value) => -value) };
          const mixed = blend(frame(0.1), flipped, share);
          expect(Math.hypot(...mixed.headRotation)).toBeCloseTo(1, 9);
          const straight = blend(frame(0.1), there, share);
          const same = mixed.headRotation.reduce((sum, value, i) => sum + value * (straight.headRotation[i] ?? 0), 0);
          expect(Math.abs(same)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  test("is as far from its ends as its share says", () => {
    expect(distance(blend(frame(0), frame(1), 0.25), frame(0))).toBeCloseTo(0.25, 9);
    expect(distance(frame(1), frame(1))).toBe(0);
  });
});
