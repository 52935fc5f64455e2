import fc from "fast-check";
import { expect, test } from "vitest";
import { createLocalLink } from "../link/local-link.ts";
import { rewindAtRandom } from "./testing/random-rewinds.ts";

test("a robot that was rewound goes on bit for bit as without, whatever happens to it", async () => {
  const run = fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
    expect(await rewindAtRandom(seed, 3, 4)).toBe(0);
  });
  await fc.assert(run, { numRuns: 3 });
});

/** A robot on a clock that the test moves, in milliseconds. */
async function robotOnClock() {
  const clock = { ms: 0 };
  const { link, robot } = await createLocalLink({ seed: 1, now: () => clock.ms });
  const pass = async (ms: number) => {
    for (const end = clock.ms + ms; clock.ms < end; ) {
      clock.ms += 10;
      await link.time();
    }
  };
  return { link, robot, pass };
}

test("a paused robot answers and its time stands still; in slow motion it passes slowly", async () => {
  const { link, pass } = await robotOnClock();
  await pass(100);
  expect(await link.pause()).toEqual({ time: 0.1, paused: true, speed: 1, kept: null });
  await pass(60_000);
  expect((await link.time()).time).toBe(0.1);
  expect((await link.step(0.01)).time).toBeCloseTo(0.11, 9);
  await link.resume(0.1);
  await pass(1000);
  expect(await link.time()).toEqual({ time: expect.closeTo(0.21, 6), paused: false, speed: 0.1, kept: null });
  await link.close();
});

test("a robot is taken to the last moment up to a time; later ones stay kept until it goes on", async () => {
  const { link, pass } = await robotOnClock();
  await link.keepHistory(true);
  await pass(35_000);
  const { kept } = await link.rewind({ to: 30 });
  expect(kept).toEqual({ earliest: expect.closeTo(5, 6), latest: expect.closeTo(35, 6) });
  expect((await link.rewind({ to: 20.09 })).time).toBeCloseTo(20, 6);
  expect((await link.rewind({ to: 34.998 })).time).toBeCloseTo(35, 6);
  await link.rewind({ to: 20 });
  expect((await link.resume()).kept?.latest).toBeCloseTo(20, 6);
  await pass(1000);
  expect((await link.time()).time).toBeCloseTo(21, 6);
  expect((await link.keepHistory(false)).kept).toBeNull();
  await link.close();
});

test("what cannot be is refused with value, range and next step", async () => {
  const { link, pass } = await robotOnClock();
  await expect(link.rewind({ to: 1 })).rejects.toThrow("POST /api/simulation/history keeps the last 30 s");
  await link.keepHistory(true);
  await pass(1000);
  await expect(link.rewind({ to: -2 })).rejects.toThrow("to -2 s of its time: the moments from 0 to 1 s are kept");
  await expect(link.rewind({ to: 9 })).rejects.toThrow("to 9 s of its time");
  await expect(link.resume(3)).rejects.toThrow("The speed must be from 0.1 to 1 times real time, not 3.");
  await expect(link.step(0)).rejects.toThrow("The step must be from 0.0025 to 1 s, not 0.");
  expect((await link.time()).speed).toBe(1);
  await link.close();
});
