import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { OutputLimiter } from "./output-limiter.ts";

function createLimiter() {
  const lines: string[] = [];
  const clock = new ManualClock();
  return { lines, clock, limiter: new OutputLimiter(clock, (line) => lines.push(line)) };
}

test("a burst of two thousand lines passes completely", () => {
  const { lines, limiter } = createLimiter();
  for (let count = 0; count < 2000; count += 1) limiter.push(`line ${count}`);
  expect(lines).toHaveLength(2000);
});

test("left-out lines are reported once a second, and lines pass again afterwards", () => {
  const { lines, clock, limiter } = createLimiter();
  for (let count = 0; count < 12_000; count += 1) limiter.push("noise");
  expect(lines).toHaveLength(2000);
  clock.advance(1000);
  expect(lines.slice(2000)).toEqual(["[10000 lines left out: more than 500 a second]"]);
  limiter.push("later");
  expect(lines.at(-1)).toBe("later");
});

test("a lasting flood shows no more than the allowed lines and one notice a second", () => {
  const { lines, clock, limiter } = createLimiter();
  for (let millisecond = 0; millisecond < 10_000; millisecond += 1) {
    for (let count = 0; count < 10; count += 1) limiter.push("noise");
    clock.advance(1);
  }
  expect(lines.length).toBeLessThanOrEqual(2000 + 10 * 500 + 2 * 10);
  const reported = lines.flatMap((line) => /\[(\d+) lines left out/.exec(line)?.[1] ?? []).map(Number);
  limiter.flush();
  const last = Number(/\[(\d+) lines/.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  const passed = lines.filter((line) => line === "noise").length;
  const dropped =
    reported.reduce((sum, count) => sum + count, 0) + (lines.length > passed + reported.length ? last : 0);
  expect(passed + dropped).toBe(100_000);
});

test("long lines cost more tokens", () => {
  const { lines, limiter } = createLimiter();
  for (let count = 0; count < 2000; count += 1) limiter.push("x".repeat(8192));
  expect(lines.length).toBe(Math.floor(2000 / 9));
});
