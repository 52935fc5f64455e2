import { expect, test } from "vitest";
import { LiveAppRun } from "./live-app-run.ts";

/** A run that waits for a processor all the time, until so many milliseconds. @returns milliseconds that it was starved, at most */
function starvedUntil(run: LiveAppRun, from: number, to: number): number {
  let most = 0;
  for (let at = from; at <= to; at += 200) most = Math.max(most, run.noteWait({ at, waited: at, othersRan: 0 }) ?? 0);
  return most;
}

test("an app that starts is not starved, however long it waits for a processor: its time limit leaves that out", () => {
  const run = new LiveAppRun("first-run", 0, 10);
  expect(starvedUntil(run, 0, 5000)).toBe(0);
  expect(run.startWaited).toBe(5);
  expect(run.starvedAtStart).toBeGreaterThan(1500);
  expect(run.startupSeconds).toBeNull();
  run.connectedAt = 7;
  expect(run.startupSeconds).toBe(2);
});

test.each(["connects", "is asked to end"])("an app is starved by what it waits after it %s", (how) => {
  const run = new LiveAppRun("first-run", 0, 10);
  starvedUntil(run, 0, 5000);
  if (how === "connects") run.connectedAt = 5;
  else run.requestEnd("stop", 5);
  expect(starvedUntil(run, 5200, 6800)).toBe(0);
  expect(starvedUntil(run, 7000, 7400)).toBeGreaterThan(1500);
  expect(run.startWaited).toBe(5);
});
