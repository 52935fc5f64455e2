import fc from "fast-check";
import { expect, test } from "vitest";
import { DelayedQueue } from "./socket-pair.ts";

test("calls in the order of adding, whatever the delays", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 8 }), async (delays) => {
      const queue = new DelayedQueue();
      const called: number[] = [];
      for (const [index, delayMs] of delays.entries()) queue.add(delayMs, () => called.push(index));
      await new Promise<void>((resolve) => queue.add(0, resolve));
      expect(called).toEqual(delays.map((_, index) => index));
    }),
    { numRuns: 30 },
  );
});

test("calls at once without a delay", () => {
  const queue = new DelayedQueue();
  let isCalled = false;
  queue.add(0, () => {
    isCalled = true;
  });
  expect(isCalled).toBe(true);
});
