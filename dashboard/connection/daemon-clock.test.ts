import { expect, test } from "vitest";
import { DaemonClock } from "./daemon-clock.ts";

const NOON = Date.parse("2026-01-01T12:00:00Z");

test.each([
  ["equal clocks, despite the whole seconds of the header", "Thu, 01 Jan 2026 11:59:59 GMT", NOON - 5000, 5000],
  ["a daemon an hour ahead", "Thu, 01 Jan 2026 13:00:00 GMT", NOON + 3_600_000 - 5000, 5000],
  ["a daemon whose clock starts at the epoch", "Thu, 01 Jan 1970 00:00:10 GMT", 4000, 6000],
  ["a time in the future", "Thu, 01 Jan 2026 12:00:00 GMT", NOON + 300, 0],
  ["no date header", null, NOON - 1000, 1000],
  ["a date that cannot be parsed", "yesterday", NOON - 1000, 1000],
])("%s", (_, header, then, ago) => {
  const clock = new DaemonClock(() => NOON);
  clock.synchronise(header);
  expect(clock.elapsedSince(then)).toBe(ago);
});
