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
  test("fires at a push of 0.25 rad, once until it is let go", () => {
    const push = (by: number) => ({ measured: by, commanded: 0 });
    expect(touches([0, 0, 0.24, 0.25, 0.4, 0.11, 0.3, 0.1, -0.25].map(push))).toEqual([3, 8]);
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
