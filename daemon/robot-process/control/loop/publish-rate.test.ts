import { expect, test } from "vitest";
import { PublishRate } from "./publish-rate.ts";

const still = Float64Array.of(0.1, 0.2);

/** How many of 20 states, those of 0.4 s, are published. */
function publishedOf20(rate: PublishRate, position: (k: number) => Float64Array | undefined, isAtRest = true): number {
  let published = 0;
  for (let k = 0; k < 20; k++) if (rate.isDue(position(k), isAtRest, 2)) published++;
  return published;
}

test("every state is published while somebody watches", () => {
  expect(publishedOf20(new PublishRate(), () => still)).toBe(20);
});

test("without watchers, every state is published while the robot is driven or moved, and ten per second at rest", () => {
  const rate = new PublishRate();
  rate.isWatched = false;
  expect(publishedOf20(rate, () => still, false)).toBe(20);
  expect(publishedOf20(rate, () => still)).toBe(4);
  expect(publishedOf20(rate, (k) => Float64Array.of(0.11 + 0.01 * k, 0.2))).toBe(20);
  expect(publishedOf20(rate, () => undefined)).toBeLessThan(6);
});

test("it becomes idle half a second after the last motion, publishes five states per second, and ends with motion or a watcher", () => {
  const rate = new PublishRate();
  publishedOf20(rate, () => still);
  publishedOf20(rate, () => still);
  expect(rate.isIdle).toBe(false);
  rate.isWatched = false;
  publishedOf20(rate, () => still);
  expect(rate.isIdle).toBe(false);
  publishedOf20(rate, () => still);
  expect(rate.isIdle).toBe(true);
  expect(publishedOf20(rate, () => still)).toBe(2);
  publishedOf20(rate, () => Float64Array.of(0.2, 0.2));
  expect(rate.isIdle).toBe(false);
  publishedOf20(rate, () => Float64Array.of(0.2, 0.2));
  publishedOf20(rate, () => Float64Array.of(0.2, 0.2));
  expect(rate.isIdle).toBe(true);
  rate.isWatched = true;
  expect(rate.isIdle).toBe(false);
});
