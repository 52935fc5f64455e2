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
      return 1;
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
    const loop = new FixedRateLoop(clock, 10, async ({ elapsedMs }) => {
      starts.push(clock.now());
      elapsed.push(elapsedMs);
      if (starts.length === 2) await sleep(clock, 25);
      return 1;
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
      return 1;
    });
    loop.start();
    await clock.advanceAsync(12);
    const stopped = loop.stop();
    await clock.advanceAsync(100);
    await stopped;
    expect([ticks, finished]).toEqual([1, 1]);
  });

  test("leaves out periods on request, without a trace in the statistics", async () => {
    const clock = new ManualClock();
    const ticks: [time: number, elapsedMs: number, periods: number][] = [];
    const loop = new FixedRateLoop(clock, 10, async ({ elapsedMs, periods }) => {
      ticks.push([clock.now(), elapsedMs, periods]);
      return 4;
    });
    loop.start();
    await clock.advanceAsync(1020);
    expect(ticks.slice(0, 3)).toEqual([
      [10, 10, 1],
      [50, 10, 4],
      [90, 10, 4],
    ]);
    expect(loop.statistics).toMatchObject({ missed: 0, periodP50Ms: 10, periodP99Ms: 10, frequencyHz: 100 });
  });

  test("wakes in the next period of the grid", async () => {
    const clock = new ManualClock();
    const ticks: [time: number, periods: number][] = [];
    const loop = new FixedRateLoop(clock, 10, async ({ periods }) => {
      ticks.push([clock.now(), periods]);
      return ticks.length === 1 ? 20 : 1;
    });
    loop.start();
    await clock.advanceAsync(33);
    loop.wake();
    loop.wake();
    await clock.advanceAsync(20);
    expect(ticks).toEqual([
      [10, 1],
      [40, 3],
      [50, 1],
    ]);
    await loop.stop();
    loop.wake();
    await clock.advanceAsync(100);
    expect(ticks).toHaveLength(3);
  });
});
