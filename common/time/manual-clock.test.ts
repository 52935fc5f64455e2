import { expect, test } from "vitest";
import { sleep } from "./clock.ts";
import { ManualClock } from "./manual-clock.ts";

test("timers run in the order in which they are due, also those that a timer sets", () => {
  const clock = new ManualClock();
  const seen: string[] = [];
  clock.after(20, () => seen.push(`b ${clock.now()}`));
  clock.after(10, () => {
    seen.push(`a ${clock.now()}`);
    clock.after(5, () => seen.push(`nested ${clock.now()}`));
  });
  clock.at(20, () => seen.push(`c ${clock.now()}`));
  clock.after(21, () => seen.push("too late"));
  const cancel = clock.after(12, () => seen.push("cancelled"));
  cancel();
  clock.advance(20);
  expect(seen).toEqual(["a 10", "nested 15", "b 20", "c 20"]);
  expect(clock.now()).toBe(20);
});

test("advanceAsync lets promises settle between two timers", async () => {
  const clock = new ManualClock();
  const seen: number[] = [];
  const loop = async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(clock, 10);
      seen.push(clock.now());
    }
  };
  void loop();
  await clock.advanceAsync(35);
  expect(seen).toEqual([10, 20, 30]);
});

test("the wall clock advances with the clock, from its own date", () => {
  const clock = new ManualClock();
  clock.advance(1500);
  expect(new Date(clock.unixTime()).toISOString()).toBe("2020-01-01T00:00:01.500Z");
});
