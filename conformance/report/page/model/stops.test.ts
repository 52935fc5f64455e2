import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleVerdict } from "../../testing/sample.ts";
import { decades, stopsOf } from "./stops.ts";

test("stops are taken from the figures, in seconds, and from the scenes, each with its place", () => {
  const results = sampleVerdict().results.map((each) => ({
    ...each,
    measured: each.measured.map((figure) =>
      figure.name === "stop p50" ? { ...figure, name: "stop, median", value: 41, unit: "ms", limit: 50 } : figure,
    ),
  }));
  const { measured, seen, limit } = stopsOf(sampleVerdict({ results }));
  expect(measured.map(({ label }) => label)).toEqual(["median", "p90", "p99", "longest"]);
  expect(measured[0]).toMatchObject({ seconds: 0.041, href: "#LIFE-003" });
  expect(limit).toBe(0.05);
  expect(seen.map(({ href }) => href)).toEqual(["#scene/run-and-stop/9.01", "#scene/stop-in-mid-goto/3.21"]);
  expect(seen[1]?.seconds).toBeCloseTo(2.39, 9);
});

test("the scale holds every time, the later the further", () => {
  const time = fc.double({ min: 0, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), fc.option(time), (times, limit) => {
      const { marks, shareOf } = decades(times, limit);
      const shares = [...times].sort((a, b) => a - b).map(shareOf);
      expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1)).toBe(true);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(Math.max(...times) * (1 - 1e-9));
    }),
  );
});

test("marks are powers of ten around the times", () => {
  expect(decades([0.04, 2], 5).marks).toEqual([0.01, 0.1, 1, 10]);
});
