import { expect, test } from "vitest";
import { formatFigure, formatMoment, roundTicks } from "./figures.ts";

test("figures have three significant digits", () => {
  expect([0.01234, 1.239, 12.34, 1234, -0.5, 2.5e7].map(formatFigure)).toEqual([
    "0.0123",
    "1.24",
    "12.3",
    "1,230",
    "−0.5",
    "25M",
  ]);
});

test("times are padded", () => {
  expect([formatMoment(0), formatMoment(9.999), formatMoment(61.5)]).toEqual(["00.00", "10.00", "61.50"]);
});

test("a scale has round ticks", () => {
  expect(roundTicks(0, 12, 8)).toEqual([0, 2, 4, 6, 8, 10, 12]);
  expect(roundTicks(3.1, 4.1, 5).map((t) => t.toFixed(2))).toEqual(["3.20", "3.40", "3.60", "3.80", "4.00"]);
  expect(roundTicks(0, 0, 8)).toEqual([0]);
});
