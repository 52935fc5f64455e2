import { expect, test } from "vitest";
import { PublishRate } from "./publish-rate.ts";

const still = Float64Array.of(0.1, 0.2);

/** How many of 50 states, those of a second, are published. */
function publishedOf50(rate: PublishRate, position: (k: number) => Float64Array | undefined, isAtRest = true): number {
  let published = 0;
  for (let k = 0; k < 50; k++) if (rate.isDue(position(k), isAtRest)) published++;
  return published;
}

test("every state is published while somebody watches", () => {
  expect(publishedOf50(new PublishRate(), () => still)).toBe(50);
});

test("without watchers, every state is published while the robot is driven or moved, and ten per second at rest", () => {
  const rate = new PublishRate();
  rate.isWatched = false;
  expect(publishedOf50(rate, () => still, false)).toBe(50);
  expect(publishedOf50(rate, () => still)).toBe(10);
  expect(publishedOf50(rate, (k) => Float64Array.of(0.11 + 0.01 * k, 0.2))).toBe(50);
  expect(publishedOf50(rate, () => undefined)).toBeLessThan(12);
});
