import { describe, expect, test } from "vitest";
import { sleep } from "../../../../common/time/clock.ts";
import { ManualClock } from "../../../../common/time/manual-clock.ts";
import { FixedRateLoop } from "./fixed-rate-loop.ts";

describe("FixedRateLoop", () => {
  test("ticks on a fixed grid", async () => {
    const clock = new ManualClock();
    const starts: number[] = [];
    const loop = new FixedRateLoop(clock, 10, async () => {
      starts.push(clock.now());
      await sleep(clock, 3);
    });
    loop.start();
    await clock.advanceAsync(50);
    expect(starts).toEqual([10, 20, 30, 40, 50]);
    expect(loop.statistics.missed).toBe(0);
  });

  test("a tick that overruns loses the periods it covers and stays on the grid", async () => {
    const clock = new ManualClock();
    const starts: number[] = [];
    const elapsed: number[] = [];
    const loop = new FixedRateLoop(clock, 10, async (ms) => {
      starts.push(clock.now());
      elapsed.push(ms);
      if (starts.length === 2) await sleep(clock, 25);
    });
    loop.start();
    await clock.advanceAsync(1060);
    expect(starts.slice(0, 4)).toEqual([10, 20, 50, 60]);
    expect(elapsed.slice(0, 4)).toEqual([10, 10, 30, 10]);
    expect(loop.statistics).toMatchObject({ missed: 2, periodP50Ms: 10 });
    expect(loop.statistics.periodP99Ms).toBe(10);
  });

  test("stop waits for the running tick and starts no other", async () => {
    const clock = new ManualClock();
    let ticks = 0;
    let finished = 0;
    const loop = new FixedRateLoop(clock, 10, async () => {
      ticks++;
      await sleep(clock, 5);
      finished++;
    });
    loop.start();
    await clock.advanceAsync(12);
    const stopped = loop.stop();
    await clock.advanceAsync(100);
    await stopped;
    expect([ticks, finished]).toEqual([1, 1]);
  });
});
