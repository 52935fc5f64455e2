import { expect, test } from "vitest";
import { LiveAppRun } from "./live-app-run.ts";

/** A run that waits for a processor all the time, until so many milliseconds. @returns milliseconds that it was starved, at most */
function starvedUntil(run: LiveAppRun, from: number, to: number): number {
  let most = 0;
  for (let at = from; at <= to; at += 200)
    most = Math.max(most, run.noteWait({ at, waited: at, othersRan: 0 }, at / 1000) ?? 0);
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
  else run.requestEnd("stop", 5, null);
  expect(starvedUntil(run, 5200, 6800)).toBe(0);
  expect(starvedUntil(run, 7000, 7400)).toBeGreaterThan(1500);
  expect(run.startWaited).toBe(5);
});

test("notes the periods in which an app waited for a processor that others had", () => {
  const run = new LiveAppRun("first-run", 0, 10);
  const samples = [
    { at: 0, waited: 0, othersRan: 0 },
    { at: 200, waited: 30, othersRan: 0 },
    { at: 400, waited: 130, othersRan: 20 },
    { at: 600, waited: 230, othersRan: 200 },
  ];
  for (const sample of samples) run.noteWait(sample, 1 + sample.at / 1000);
  expect(run.processorDelays).toEqual([{ t: 1.4, seconds: 0.2 }]);
});
