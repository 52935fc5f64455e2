import fc from "fast-check";
import { expect, test } from "vitest";
import { RestartBackoff } from "./restart-backoff.ts";

const brief = fc.integer({ min: 0, max: 59_999 });

test("a process that keeps ending is started again five times, with growing delays, and then no more", () => {
  fc.assert(
    fc.property(fc.array(brief, { minLength: 6, maxLength: 12 }), (runs) => {
      const restarts = new RestartBackoff();
      const pauses = runs.map((ranMs) => restarts.afterLoss(ranMs));
      const given = pauses.filter((pause) => pause !== null);
      expect(given).toHaveLength(5);
      expect(given).toEqual([...given].sort((one, other) => one - other));
      expect(pauses.slice(5).every((pause) => pause === null)).toBe(true);
    }),
  );
});

test("a process that cannot be started is retried forever, finally every 10 s, and does not count as lost", () => {
  const backoff = new RestartBackoff();
  const delays = Array.from({ length: 20 }, () => backoff.afterFailedStart());
  expect(delays.slice(0, 5)).toEqual([250, 1000, 2000, 5000, 10_000]);
  expect(new Set(delays.slice(5))).toEqual(new Set([10_000]));
  expect(backoff.afterLoss(0)).toBe(250);
  expect(backoff.afterFailedStart()).toBe(250);
});

test("a process that has run for a minute is restarted immediately, however often it was restarted before", () => {
  fc.assert(
    fc.property(fc.array(brief), fc.integer({ min: 60_000 }), (runs, long) => {
      const restarts = new RestartBackoff();
      for (const ranMs of runs) restarts.afterLoss(ranMs);
      expect(restarts.afterLoss(long)).toBe(250);
    }),
  );
});
