import { expect, test } from "vitest";
import { LiveAppRun } from "../runner/observe/live-app-run.ts";
import { endedDuringStopCall } from "./direct-launches.ts";

/** A run that was asked to end by stop() at 5 s, and exited at 5.1 s. */
function endedRun(changes: Partial<LiveAppRun>): LiveAppRun {
  const run = new LiveAppRun("stop-event-alone", 0, 5);
  run.requestEnd("stop-method", 5, null);
  return Object.assign(run, { exitedAt: 5.1, exit: { code: 0, signal: null }, ...changes });
}

test("an app that ended before stop() was called, or before it set the event, has ended meanwhile", () => {
  expect(endedDuringStopCall(endedRun({ stopMethod: null }))).toBe(true);
  expect(endedDuringStopCall(endedRun({ stopMethod: "called", runLeftAt: 5.05 }))).toBe(true);
});

test.each<[string, Partial<LiveAppRun>]>([
  ["whose stop() sets the event", { stopMethod: "sets-event", runLeftAt: 5.05 }],
  ["whose stop() ends the process", { stopMethod: "called" }],
  ["that fails", { exit: { code: 1, signal: null } }],
  ["that has to be killed", { exitedAt: 10.1 }],
])("an app %s has not ended meanwhile", (_, changes) => {
  expect(endedDuringStopCall(endedRun(changes))).toBe(false);
});
