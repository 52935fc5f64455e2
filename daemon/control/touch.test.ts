import { describe, expect, test } from "vitest";
import { TouchSensor } from "./touch.ts";

const PERIOD_MS = 40;

/** Feeds samples 40 ms apart and returns the indices at which a touch began. */
function touches(samples: { measured: number; commanded: number | null }[]): number[] {
  const sensor = new TouchSensor();
  return samples.flatMap(({ measured, commanded }, index) =>
    sensor.sample(measured, commanded, index * PERIOD_MS) ? [index] : [],
  );
}
const still = (measured: number, count: number, commanded: number | null = null) =>
  Array.from({ length: count }, () => ({ measured, commanded }));

describe("TouchSensor with torque on", () => {
  test("fires at a push of 0.25 rad, and again only after it was let go", () => {
    const held = [
      ...still(0, 2, 0),
      ...still(0.24, 1, 0),
      ...still(0.25, 50, 0),
      ...still(0.11, 1, 0),
      ...still(0.3, 1, 0),
    ];
    expect(touches([...held, ...still(0.1, 1, 0), ...still(-0.25, 1, 0)])).toEqual([3, held.length + 1]);
  });

  test("an antenna that swings after a flick was touched once", () => {
    const swinging = Array.from({ length: 20 }, (_, index) => ({ measured: 0.3 * Math.cos(index), commanded: 0 }));
    expect(touches([...still(0, 2, 0), ...swinging])).toEqual([2]);
  });

  test("a commanded motion that the antenna has yet to follow is no touch", () => {
    const motion = [0, 0.5, 1, 1, 1].map((commanded, index) => ({ commanded, measured: [0, 0, 0.4, 0.95, 1][index]! }));
    expect(touches([...still(0, 3, 0), ...motion])).toEqual([]);
    expect(touches([...still(0, 3, 0), ...motion, { measured: 0.7, commanded: 1 }])).toEqual([8]);
  });
});

describe("TouchSensor with a limp antenna", () => {
  test("measures a push from where it came to rest", () => {
    expect(touches([...still(-3.05, 30), ...still(-2.79, 3)])).toEqual([30]);
  });

  test("a push past the end of the turn counts by its way, not by the jump of the angle", () => {
    expect(touches([...still(-3.05, 30), ...still(3.1, 30)])).toEqual([]);
    expect(touches([...still(-3.05, 30), ...still(2.9, 3)])).toEqual([30]);
  });

  test("falling over after torque went off is no touch", () => {
    const falling = Array.from({ length: 20 }, (_, index) => ({ measured: 0.1 * index, commanded: null }));
    expect(touches([...still(0, 5, 0), ...falling, ...still(2, 40)])).toEqual([]);
  });

  test("an antenna left where it was pushed can be touched again from there", () => {
    expect(touches([...still(0, 30), ...still(0.5, 30), ...still(0.8, 3)])).toEqual([30, 60]);
  });
});
