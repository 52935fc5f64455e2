import { describe, expect, test } from "vitest";
import { sleep } from "../clock.ts";
import { ManualClock } from "../hardware/manual-clock.ts";
import { ControlLoop } from "./loop.ts";

describe("ControlLoop", () => {
  test("ticks on a fixed grid", async () => {
    const clock = new ManualClock();
    const starts: number[] = [];
    const loop = new ControlLoop(clock, 10, async () => {
      starts.push(clock.now());
      await sleep(clock, 3);
    });
    loop.start();
    await clock.run(50);
    expect(starts).toEqual([10, 20, 30, 40, 50]);
    expect(loop.statistics.missed).toBe(0);
  });

  test("a tick that overruns loses the periods it covers and stays on the grid", async () => {
    const clock = new ManualClock();
    const starts: number[] = [];
    const elapsed: number[] = [];
    const loop = new ControlLoop(clock, 10, async (ms) => {
      starts.push(clock.now());
      elapsed.push(ms);
      if (starts.length === 2) await sleep(clock, 25);
    });
    loop.start();
    await clock.run(1060);
    expect(starts.slice(0, 4)).toEqual([10, 20, 50, 60]);
    expect(elapsed.slice(0, 4)).toEqual([10, 10, 30, 10]);
    expect(loop.statistics).toMatchObject({ missed: 2, periodP50Ms: 10 });
    expect(loop.statistics.periodP99Ms).toBe(10);
  });

  test("stop waits for the running tick and starts no other", async () => {
    const clock = new ManualClock();
    let ticks = 0;
    let finished = 0;
    const loop = new ControlLoop(clock, 10, async () => {
      ticks++;
      await sleep(clock, 5);
      finished++;
    });
    loop.start();
    await clock.run(12);
    const stopped = loop.stop();
    await clock.run(100);
    await stopped;
    expect([ticks, finished]).toEqual([1, 1]);
  });
});
