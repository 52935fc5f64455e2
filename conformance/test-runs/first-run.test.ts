import { expect, test } from "vitest";
import { steadyRate } from "./first-run.ts";

test("a burst of lines at the start is no steady rate", () => {
  expect(steadyRate([0, 300, 400, 400, 401, 402, 402, 402, 402], 0.5)).toBeLessThan(1);
});

test("lines all the time, and in each second, are", () => {
  expect(steadyRate([0, 50, 100, 150, 200, 250, 300, 350, 400], 0.5)).toBe(100);
  expect(steadyRate([0, 0, 60, 60, 120, 120, 180, 180, 240, 240, 300, 300, 360, 360, 420, 420, 480], 0.5)).toBe(40);
});

test("an app that ended at once printed what it printed", () => {
  expect(steadyRate([0, 10], 0.5)).toBe(20);
  expect(steadyRate([0], 0.5)).toBe(0);
});
