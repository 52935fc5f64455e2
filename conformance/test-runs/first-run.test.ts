import { expect, test } from "vitest";
import { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { firstRun, rateWithoutBursts } from "./first-run.ts";

/** Seconds in which an app is measured whose thread has no processor for this share of the time. */
async function measuredFor(starvedShare: number): Promise<number> {
  let now = 0;
  const run = new LiveAppRun("first-run", 0, 5);
  const bed = {
    options: { app: { page: null }, thoroughness: "default" },
    rig: { appFolders: { scratch: [] } },
    facts: {},
    log: {
      get usage() {
        return { at: now, cpu: 0.1 * now, memory: 0, waits: new Map([["main", starvedShare * now]]) };
      },
    },
    now: () => now,
    start: async () => run,
    waitForMilestone: async () => true,
    letRun: async (_: LiveAppRun, seconds: number) => {
      now += seconds;
    },
    bytesWritten: async () => 0,
    measure: () => ({ memory: 0, descriptors: 0 }),
    randomDelay: async () => {},
    stop: async () => {},
  };
  await firstRun.execute(bed as unknown as TestBed);
  return run.usage?.seconds ?? 0;
}

test("an app is measured for longer while it has no processor, for twice the time at most", async () => {
  expect(await measuredFor(0)).toBe(8);
  expect(await measuredFor(0.25)).toBeCloseTo(8 / 0.75, 0);
  expect(await measuredFor(0.95)).toBe(16);
});

test("a burst of lines at the start is no steady rate", () => {
  expect(rateWithoutBursts([0, 300, 400, 400, 401, 402, 402, 402, 402], 0.5)).toBeLessThan(1);
});

test("lines all the time, and in each second, are", () => {
  expect(rateWithoutBursts([0, 50, 100, 150, 200, 250, 300, 350, 400], 0.5)).toBe(100);
  expect(rateWithoutBursts([0, 0, 60, 60, 120, 120, 180, 180, 240, 240, 300, 300, 360, 360, 420, 420, 480], 0.5)).toBe(
    40,
  );
});

test("an app that ended at once printed what it printed", () => {
  expect(rateWithoutBursts([0, 10], 0.5)).toBe(20);
  expect(rateWithoutBursts([0], 0.5)).toBe(0);
});
