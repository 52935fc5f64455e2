import { expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";

test("timers of a time that has passed fire at once, without a negative time of which Node would warn", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  await new Promise<void>((resolve) => systemClock.after(-5, resolve));
  await new Promise<void>((resolve) => systemClock.at(systemClock.now() - 5, resolve));
  const times = timers.mock.calls.map(([, ms]) => ms);
  timers.mockRestore();
  expect(times).toEqual([0, 0]);
});
