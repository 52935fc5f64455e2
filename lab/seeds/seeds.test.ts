import { describe, expect, test } from "vitest";
import { runSeed, shorten } from "./run-seed.ts";

const COUNT = 20;
const STEPS = 8;
const run = (seed: number) => runSeed(seed, { steps: STEPS });
const seeds = Array.from({ length: COUNT }, (_, index) => index + 1);

describe("the whole system on one virtual clock", () => {
  test.each(seeds)("keeps what must hold with seed %i", async (seed) => {
    const { violations } = await run(seed);
    expect(violations).toEqual([]);
  });

  test("does the same again with the same seed, and something else with another one", async () => {
    const [first, second, other] = [await run(7), await run(7), await run(8)];
    expect(second.lines).toEqual(first.lines);
    expect(second.digest).toBe(first.digest);
    expect(other.digest).not.toBe(first.digest);
  });
});

test("a script is shortened to the steps that a failure needs", async () => {
  const needed = [3, 17];
  const kept = await shorten([...Array(30).keys()], async (steps) => needed.every((step) => steps.includes(step)));
  expect(kept).toEqual(needed);
});
