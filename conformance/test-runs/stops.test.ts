import { expect, test } from "vitest";
import { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";
import { stopWhileImporting } from "./stops.ts";

interface Start {
  /** Seconds from the start. */
  connectsAt: number;
  exitsAt: number;
}

/** Stops an app whose starts take these times while it imports; the longest delay of each try in seconds. */
async function stopApp(starts: readonly Start[], startupSeconds: number): Promise<number[]> {
  let now = 0;
  let started = 0;
  const delays: number[] = [];
  const bed = {
    options: { startupSeconds },
    start: async () => new LiveAppRun("stop-while-importing", now, 5),
    waitForMilestone: async () => true,
    randomDelay: async (_: number, longest: number) => {
      delays.push(Number(longest.toFixed(2)));
      now += longest;
    },
    stop: async (run: LiveAppRun) => {
      const { connectsAt, exitsAt } = starts[started] ?? starts.at(-1) ?? { connectsAt: 9, exitsAt: 9 };
      started += 1;
      const age = now - run.startedAt;
      if (age >= connectsAt) run.connectedAt = run.startedAt + connectsAt;
      if (age < exitsAt) run.requestEnd("stop", now, null);
    },
  };
  await stopWhileImporting.execute(bed as unknown as TestBed);
  return delays;
}

test("an app is stopped once after the start of its process, and once after that of its interpreter", async () => {
  expect(await stopApp([{ connectsAt: 2, exitsAt: 9 }], 1)).toEqual([0.3, 0.5]);
});

test("an app that had connected is started again, and stopped earlier", async () => {
  const late = { connectsAt: 0.15, exitsAt: 9 };
  expect(await stopApp([late, { connectsAt: 2, exitsAt: 9 }], 0.2)).toEqual([0.3, 0.05, 0.3]);
});

test("an app that had ended by itself is started again, at last without a delay", async () => {
  const short = { connectsAt: 0.03, exitsAt: 0.04 };
  const delays = await stopApp([short, { connectsAt: 0, exitsAt: 0 }, { connectsAt: 2, exitsAt: 9 }], 0.2);
  expect(delays).toEqual([0.3, 0.01, 0, 0.3]);
});
