import { expect, test } from "vitest";
import { figure, moment, shortTime, ticks } from "./figures.ts";

test("figures have three digits", () => {
  expect([0.01234, 1.239, 12.34, 1234, -0.5, 2.5e7].map(figure)).toEqual([
    "0.0123",
    "1.24",
    "12.3",
    "1,230",
    "−0.5",
    "25M",
  ]);
});

test("times stand in columns, short ones in milliseconds", () => {
  expect([moment(0), moment(9.999), moment(61.5)]).toEqual(["00.00", "10.00", "61.50"]);
  expect([shortTime(0.0412), shortTime(0.9), shortTime(2.4)]).toEqual(["41.2 ms", "900 ms", "2.4 s"]);
});

test("a scale has round steps", () => {
  expect(ticks(0, 12, 8)).toEqual([0, 2, 4, 6, 8, 10, 12]);
  expect(ticks(3.1, 4.1, 5).map((t) => t.toFixed(2))).toEqual(["3.20", "3.40", "3.60", "3.80", "4.00"]);
  expect(ticks(0, 0, 8)).toEqual([0]);
});
