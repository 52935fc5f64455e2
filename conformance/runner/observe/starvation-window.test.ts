import { expect, test } from "vitest";
import { StarvationWindow, waitsForOwnThreads } from "./starvation-window.ts";

/** Adds a sample five times a second for three seconds, in each of which the main thread waits and the others run so long. */
function lastOf(waited: number, othersRan: number): number | null {
  const window = new StarvationWindow();
  let last: number | null = null;
  for (let at = 0; at <= 3000; at += 200) {
    last = window.add({ at, waited: waited * at, othersRan: othersRan * at });
  }
  return last;
}

test("a process that waits for a processor most of two seconds is starved", () => {
  expect(lastOf(0.9, 0)).toBeCloseTo(1980);
  expect(lastOf(0.9, 0.3)).toBeCloseTo(1980);
});

test("a process that sleeps, or runs as much as it waits, is not starved", () => {
  expect(lastOf(0, 0)).toBeNull();
  expect(lastOf(0.5, 0)).toBeNull();
});

test("a process that its own threads and descendants keep from running is not starved by the machine", () => {
  expect(lastOf(0.95, 0.9)).toBeNull();
  expect(lastOf(0.95, 2)).toBeNull();
});

test("less than two seconds say nothing", () => {
  const window = new StarvationWindow();
  expect(window.add({ at: 0, waited: 0, othersRan: 0 })).toBeNull();
  expect(window.add({ at: 1800, waited: 1800, othersRan: 0 })).toBeNull();
  expect(window.add({ at: 2100, waited: 2100, othersRan: 0 })).toBe(2100);
});

test("a process that waits while its other threads run waits for itself", () => {
  expect(waitsForOwnThreads({ waited: 1000, othersRan: 900 })).toBe(true);
  expect(waitsForOwnThreads({ waited: 1000, othersRan: 100 })).toBe(false);
});
