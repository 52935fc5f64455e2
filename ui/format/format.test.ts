import { expect, test } from "vitest";
import { formatDegrees, formatDuration, stripColours } from "./format.ts";

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min 00 s"],
  [185_000, "3 min 05 s"],
  [3_600_000, "1 h 00 min"],
  [7_620_000, "2 h 07 min"],
  [172_800_000, "2 days"],
  [-5, "0 s"],
])("%d ms is formatted as %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test("a duration in whole minutes", () => {
  expect([185_000, 3_600_000].map((length) => formatDuration(length, "minutes"))).toEqual(["3 min", "1 h 00 min"]);
});

test("degrees are whole, with a true minus sign and no negative zero", () => {
  expect([12.4, -12.6, -0.2, undefined].map(formatDegrees)).toEqual(["12°", "−13°", "0°", "–"]);
});

test("terminal colours are removed, brackets stay", () => {
  expect(stripColours("\u001b[1;31merror\u001b[0m [0m]")).toBe("error [0m]");
});
