import { expect, test } from "vitest";
import { limitRate } from "./limit-rate.ts";
import { ManualClock } from "./manual-clock.ts";

test("calls begin evenly spaced, however many wait, and time that passes unused is not made up for", async () => {
  const clock = new ManualClock();
  const waitForTurn = limitRate(10_000, clock, new AbortController().signal);
  const started = clock.now();
  const begun: number[] = [];
  const call = () => waitForTurn().then(() => void begun.push(clock.now() - started));
  const first = [call(), call(), call()];
  await clock.advanceAsync(100_000);
  await Promise.all(first);
  const second = [call(), call()];
  await clock.advanceAsync(10_000);
  await Promise.all(second);
  expect(begun).toEqual([0, 10_000, 20_000, 100_000, 110_000]);
});

test("a signal ends the wait with its reason", async () => {
  const cancel = new AbortController();
  const waitForTurn = limitRate(60_000, new ManualClock(), cancel.signal);
  await waitForTurn();
  const waiting = waitForTurn();
  cancel.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
});
