import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleVerdict } from "../../testing/sample.ts";
import { logScale, stopTimesOf } from "./stop-times.ts";

test("stop times come from the measurements, in seconds, and from the test runs, each with a link", () => {
  const results = exampleVerdict().results.map((each) => ({
    ...each,
    measured: each.measured.map((figure) =>
      figure.name === "stop p50" ? { ...figure, name: "stop, median", value: 41, unit: "ms", limit: 50 } : figure,
    ),
  }));
  const { measured, inTestRuns, limit } = stopTimesOf(exampleVerdict({ results }));
  expect(measured.map(({ label }) => label)).toEqual(["median", "p90", "p99", "longest"]);
  expect(measured[0]).toMatchObject({ seconds: 0.041, href: "#LIFE-003" });
  expect(limit).toBe(0.05);
  expect(inTestRuns.map(({ href }) => href)).toEqual([
    "#test-run/run-and-stop/9.01",
    "#test-run/stop-in-mid-goto/3.21",
  ]);
  expect(inTestRuns[1]?.seconds).toBeCloseTo(2.39, 9);
});

test("the scale contains every time, in order", () => {
  const time = fc.double({ min: 0, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), fc.option(time), (times, limit) => {
      const { ticks, positionOf } = logScale(times, limit);
      const positions = [...times].sort((a, b) => a - b).map(positionOf);
      expect(positions.every((position, i) => position >= (positions[i - 1] ?? 0) && position <= 1)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...times) * (1 - 1e-9));
    }),
  );
});

test("ticks are powers of ten around the times", () => {
  expect(logScale([0.04, 2], 5).ticks).toEqual([0.01, 0.1, 1, 10]);
});
