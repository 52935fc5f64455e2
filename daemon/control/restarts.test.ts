import fc from "fast-check";
import { expect, test } from "vitest";
import { Restarts } from "./restarts.ts";

const brief = fc.integer({ min: 0, max: 59_999 });

test("a process that keeps ending is started five times, later each time, and then no more", () => {
  fc.assert(
    fc.property(fc.array(brief, { minLength: 6, maxLength: 12 }), (runs) => {
      const restarts = new Restarts();
      const pauses = runs.map((ranMs) => restarts.afterLoss(ranMs));
      const given = pauses.filter((pause) => pause !== null);
      expect(given).toHaveLength(5);
      expect(given).toEqual([...given].sort((one, other) => one - other));
      expect(pauses.slice(5).every((pause) => pause === null)).toBe(true);
    }),
  );
});

test("one that has run for a minute is started again at once, whatever was before", () => {
  fc.assert(
    fc.property(fc.array(brief), fc.integer({ min: 60_000 }), (runs, long) => {
      const restarts = new Restarts();
      for (const ranMs of runs) restarts.afterLoss(ranMs);
      expect(restarts.afterLoss(long)).toBe(250);
    }),
  );
});
