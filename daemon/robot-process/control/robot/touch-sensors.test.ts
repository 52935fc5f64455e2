import { describe, expect, test } from "vitest";
import { TouchSensor } from "./touch-sensors.ts";

const PERIOD_MS = 40;

/** Feeds samples 40 ms apart and returns the indices at which a touch began. */
function touches(samples: { measured: number; commanded: number | null; current?: number }[]): number[] {
  const sensor = new TouchSensor();
  return samples.flatMap(({ measured, commanded, current = 0 }, index) =>
    sensor.sample(measured, commanded, current, index * PERIOD_MS) ? [index] : [],
  );
}
const still = (measured: number, count: number, commanded: number | null = null) =>
  Array.from({ length: count }, () => ({ measured, commanded }));

describe("TouchSensor with torque on", () => {
  test("detects a push of 0.25 rad, and the next one only after a release", () => {
    const held = [
      ...still(0, 2, 0),
      ...still(0.24, 1, 0),
      ...still(0.25, 50, 0),
      ...still(0.11, 1, 0),
      ...still(0.3, 1, 0),
    ];
    expect(touches([...held, ...still(0.1, 1, 0), ...still(-0.25, 1, 0)])).toEqual([3, held.length + 1]);
  });

  test("an antenna that swings after a flick counts as touched once", () => {
    const swinging = Array.from({ length: 20 }, (_, index) => ({ measured: 0.3 * Math.cos(index), commanded: 0 }));
    expect(touches([...still(0, 2, 0), ...swinging])).toEqual([2]);
  });

  test("fires at the current of a push that the motor withstands, once until it ends", () => {
    const pushed = (current: number, count: number) =>
      Array.from({ length: count }, () => ({ measured: 0, commanded: 0, current }));
    const samples = [...still(0, 10, 0), ...pushed(-0.3, 30), ...pushed(0.02, 30), ...pushed(0.3, 5)];
    expect(touches(samples)).toEqual([12, 72]);
    expect(touches([...still(0, 10, 0), ...pushed(0.3, 2), ...pushed(0.02, 5), ...pushed(0.15, 30)])).toEqual([]);
  });

  test("the current of the antenna's own motion is no touch", () => {
    const motion = Array.from({ length: 60 }, (_, index) => ({
      measured: 0.05 * index,
      commanded: 0.05 * index,
      current: 0.5,
    }));
    expect(touches([...still(0, 10, 0), ...motion])).toEqual([]);
  });

  test("a commanded motion that the antenna has not followed yet is no touch", () => {
    const motion = [0, 0.5, 1, 1, 1].map((commanded, index) => ({ commanded, measured: [0, 0, 0.4, 0.95, 1][index]! }));
    expect(touches([...still(0, 3, 0), ...motion])).toEqual([]);
    expect(touches([...still(0, 3, 0), ...motion, { measured: 0.7, commanded: 1 }])).toEqual([8]);
  });
});

describe("TouchSensor without torque", () => {
  test("measures a push from where the antenna was last still", () => {
    expect(touches([...still(-3.05, 30), ...still(-2.79, 3)])).toEqual([30]);
  });

  test("a push past the end of a turn is measured by the way of the antenna, not by the jump of the angle", () => {
    expect(touches([...still(-3.05, 30), ...still(3.1, 30)])).toEqual([]);
    expect(touches([...still(-3.05, 30), ...still(2.9, 3)])).toEqual([30]);
  });

  test("falling when torque is disabled is no touch", () => {
    const falling = Array.from({ length: 20 }, (_, index) => ({ measured: 0.1 * index, commanded: null }));
    expect(touches([...still(0, 5, 0), ...falling, ...still(2, 40)])).toEqual([]);
  });

  test("an antenna that stays where it was pushed can be touched again there", () => {
    expect(touches([...still(0, 30), ...still(0.5, 30), ...still(0.8, 3)])).toEqual([30, 60]);
  });
});
