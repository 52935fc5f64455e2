import { expect, test } from "vitest";
import { DaemonClock } from "./daemon-clock.ts";

const NOON = Date.parse("2026-01-01T12:00:00Z");

test.each([
  ["the same clock, but for the header's whole seconds", "Thu, 01 Jan 2026 11:59:59 GMT", NOON - 5000, 5000],
  ["a daemon an hour ahead", "Thu, 01 Jan 2026 13:00:00 GMT", NOON + 3_600_000 - 5000, 5000],
  ["a daemon in the past", "Thu, 01 Jan 1970 00:00:10 GMT", 4000, 6000],
  ["what has not happened yet", "Thu, 01 Jan 2026 12:00:00 GMT", NOON + 300, 0],
  ["no date", null, NOON - 1000, 1000],
  ["no date that can be read", "yesterday", NOON - 1000, 1000],
])("%s", (_, header, then, ago) => {
  const clock = new DaemonClock(() => NOON);
  clock.hear(header);
  expect(clock.since(then)).toBe(ago);
});
