import { expect, test } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { FloodGate } from "./flood-gate.ts";

function openGate() {
  const shown: string[] = [];
  const clock = new ManualClock();
  return { shown, clock, gate: new FloodGate(clock, (line) => shown.push(line)) };
}

test("a burst of two thousand lines passes whole", () => {
  const { shown, gate } = openGate();
  for (let count = 0; count < 2000; count += 1) gate.push(`line ${count}`);
  expect(shown).toHaveLength(2000);
});

test("a flood is told of once a second and passes again when it ebbs", () => {
  const { shown, clock, gate } = openGate();
  for (let count = 0; count < 12_000; count += 1) gate.push("flood");
  expect(shown).toHaveLength(2000);
  clock.pass(1000);
  expect(shown.slice(2000)).toEqual(["[10000 lines left out: more than 500 a second]"]);
  gate.push("calm");
  expect(shown.at(-1)).toBe("calm");
});

test("a lasting flood shows no more than the allowed lines and one notice a second", () => {
  const { shown, clock, gate } = openGate();
  for (let millisecond = 0; millisecond < 10_000; millisecond += 1) {
    for (let count = 0; count < 10; count += 1) gate.push("flood");
    clock.pass(1);
  }
  expect(shown.length).toBeLessThanOrEqual(2000 + 10 * 500 + 2 * 10);
  const told = shown.flatMap((line) => /\[(\d+) lines left out/.exec(line)?.[1] ?? []).map(Number);
  gate.flush();
  const last = Number(/\[(\d+) lines/.exec(shown.at(-1) ?? "")?.[1] ?? 0);
  const passed = shown.filter((line) => line === "flood").length;
  const dropped = told.reduce((sum, count) => sum + count, 0) + (shown.length > passed + told.length ? last : 0);
  expect(passed + dropped).toBe(100_000);
});

test("long lines cost more", () => {
  const { shown, gate } = openGate();
  for (let count = 0; count < 2000; count += 1) gate.push("x".repeat(8192));
  expect(shown.length).toBe(Math.floor(2000 / 9));
});
