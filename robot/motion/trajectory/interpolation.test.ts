import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_POSE, SLEEP_POSE } from "../../description/poses.ts";
import { poseDistance } from "../../kinematics/pose.ts";
import { Interpolation } from "../../wire/robot/robot-fields.ts";
import { gotoMove, hold, sequence, TIME_SCALINGS } from "./move.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe.each(Interpolation.options)("%s", (method) => {
  const scaling = TIME_SCALINGS[method];

  test("goes from 0 to 1, half way at half time", () => {
    expect(scaling(0)).toBeCloseTo(0, 12);
    expect(scaling(0.5)).toBeCloseTo(0.5, 12);
    expect(scaling(1)).toBeCloseTo(1, 12);
  });

  test("is symmetric in time", () => {
    fc.assert(
      fc.property(share, (t) => {
        expect(scaling(t) + scaling(1 - t)).toBeCloseTo(1, 9);
      }),
    );
  });
});

test.each(["linear", "minjerk", "ease_in_out"] as const)("%s never turns back", (method) => {
  const scaling = TIME_SCALINGS[method];
  fc.assert(
    fc.property(share, share, (a, b) => {
      expect(scaling(Math.max(a, b))).toBeGreaterThanOrEqual(scaling(Math.min(a, b)) - 1e-12);
    }),
  );
});

test("cartoon swings back by a tenth before it goes, and over the end by as much", () => {
  const way = Array.from({ length: 101 }, (_, index) => TIME_SCALINGS.cartoon(index / 100));
  expect(Math.min(...way)).toBeCloseTo(-0.1, 2);
  expect(Math.max(...way)).toBeCloseTo(1.1, 2);
});

describe("moves", () => {
  test("start and end exactly at their poses, and stay there", () => {
    for (const method of Interpolation.options) {
      const move = gotoMove(DEFAULT_POSE, SLEEP_POSE, 2, method);
      for (const t of [-1, 0]) {
        expect(poseDistance(move.sample(t).head, DEFAULT_POSE.head).metres).toBeLessThan(1e-12);
        expect(move.sample(t).antennas[0]).toBeCloseTo(DEFAULT_POSE.antennas[0], 12);
      }
      for (const t of [2, 3]) expect(move.sample(t)).toBe(SLEEP_POSE);
    }
  });

  test("turn the head along the shortest arc at a steady rate", () => {
    const move = gotoMove(DEFAULT_POSE, SLEEP_POSE, 1, "linear");
    const whole = poseDistance(DEFAULT_POSE.head, SLEEP_POSE.head);
    const part = poseDistance(DEFAULT_POSE.head, move.sample(0.25).head);
    expect(part.radians).toBeCloseTo(whole.radians / 4, 9);
    expect(part.metres).toBeCloseTo(whole.metres / 4, 9);
  });

  test("of no duration are at their end immediately", () => {
    expect(gotoMove(DEFAULT_POSE, SLEEP_POSE, 0, "minjerk").sample(0)).toBe(SLEEP_POSE);
  });

  test("leave the body to the automatic yaw when the target does", () => {
    const move = gotoMove(DEFAULT_POSE, { ...SLEEP_POSE, bodyYaw: null }, 1, "linear");
    expect(move.sample(0.5).bodyYaw).toBeNull();
  });

  test("in sequence follow each other without a gap", () => {
    const both = sequence(
      gotoMove(DEFAULT_POSE, SLEEP_POSE, 1, "linear"),
      hold(SLEEP_POSE, 0.5),
      gotoMove(SLEEP_POSE, DEFAULT_POSE, 2, "linear"),
    );
    expect(both.duration).toBe(3.5);
    expect(both.sample(1.2)).toBe(SLEEP_POSE);
    expect(
      poseDistance(both.sample(2.5).head, gotoMove(DEFAULT_POSE, SLEEP_POSE, 1, "linear").sample(0.5).head).metres,
    ).toBeLessThan(1e-9);
    expect(both.sample(9)).toBe(DEFAULT_POSE);
  });
});
