import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

const busy = new WorkbenchError("app-busy", "Process 1 is changing it.");
const { signal } = new AbortController();

test("work is done again until the other program is ready", async () => {
  const clock = new ManualClock();
  const freeAt = clock.now() + 60_000;
  const done = retryWhileBusy(
    async () => {
      if (clock.now() < freeAt) throw busy;
      return "made";
    },
    clock,
    signal,
  );
  await clock.advanceAsync(61_000);
  expect(await done).toBe("made");
});

test("it gives up after ten minutes, at another error, and when it is cancelled", async () => {
  const clock = new ManualClock();
  const refuse = async () => {
    throw busy;
  };
  const late = expect(retryWhileBusy(refuse, clock, signal)).rejects.toBe(busy);
  await clock.advanceAsync(11 * 60_000);
  await late;
  const other = new Error("no Python");
  const fail = async () => {
    throw other;
  };
  await expect(retryWhileBusy(fail, clock, signal)).rejects.toBe(other);
  const cancel = new AbortController();
  const waiting = retryWhileBusy(refuse, clock, cancel.signal);
  cancel.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
});
