import { expect, test } from "vitest";
import { StarvationWindow } from "./starvation-window.ts";

/** Adds a sample five times a second for three seconds, in each of which the process waits and its descendants run so long. */
function lastOf(waited: number, descendants: number): number | null {
  const window = new StarvationWindow();
  let last: number | null = null;
  for (let at = 0; at <= 3000; at += 200) {
    last = window.add({ at, waited: waited * at, descendants: descendants * at });
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

test("a process that its own descendants keep from running is not starved by the machine", () => {
  expect(lastOf(0.95, 0.9)).toBeNull();
  expect(lastOf(0.95, 2)).toBeNull();
});

test("less than two seconds say nothing", () => {
  const window = new StarvationWindow();
  expect(window.add({ at: 0, waited: 0, descendants: 0 })).toBeNull();
  expect(window.add({ at: 1800, waited: 1800, descendants: 0 })).toBeNull();
  expect(window.add({ at: 2100, waited: 2100, descendants: 0 })).toBe(2100);
});
