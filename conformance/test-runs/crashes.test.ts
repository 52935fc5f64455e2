import { expect, test } from "vitest";
import { LiveAppRun } from "../runner/observe/live-app-run.ts";
import { TestBed } from "../runner/test-bed.ts";
import { errorInRun } from "./crashes.ts";

/** What the trace instrument writes at a time, in seconds since the start. */
type Markers = Readonly<Record<number, string>>;

/** Raises errors in an app that exits by itself at `exitsAt`, if ever; returns when it got a signal. */
async function raiseErrors(written: Markers, exitsAt = Number.POSITIVE_INFINITY) {
  let now = 0;
  const signals: number[] = [];
  const runs = [0, 1].map(() => new LiveAppRun("error-in-run", 0, 5));
  const [run = new LiveAppRun("error-in-run", 0, 5)] = runs;
  const started = runs.values();
  const bed = {
    now: () => now,
    start: async () => started.next().value,
    waitForMilestone: async () => true,
    randomDelay: async () => {
      now += 1;
    },
    letRun: async (waiting: LiveAppRun, seconds: number) => {
      now += seconds;
      if (now >= exitsAt) waiting.hasEnded = true;
    },
    letEnd: TestBed.prototype.letEnd,
    readTraceMarkers: async (reading: LiveAppRun) => {
      const markers = Object.entries(written).filter(([time]) => Number(time) <= now);
      const all = markers.map(([time, what]) => ({ time: Number(time), pid: 1, what, raised: null }));
      if (reading === run) reading.addTraceMarkers(all, (time) => time);
    },
    recordEndRequest: async (ending: LiveAppRun) => ending.requestEnd("error", now, null),
    signal: () => signals.push(Number(now.toFixed(1))),
    stop: async () => {},
    waitForEnd: async () => {},
  };
  await errorInRun.execute(bed as unknown as TestBed);
  return { run, signals };
}

test("an error is raised twice, two seconds apart", async () => {
  expect((await raiseErrors({ 0: "entered" })).signals).toEqual([1, 3]);
});

test("an error that the app could not take is raised again soon", async () => {
  const { signals } = await raiseErrors({ 0: "entered", 1.05: "postponed", 1.15: "postponed" });
  expect(signals.slice(0, 3)).toEqual([1, 1.1, 1.2]);
});

test("an app whose run() has returned gets no signal when it ends soon", async () => {
  const { run, signals } = await raiseErrors({ 0: "entered", 0.9: "returned" }, 2);
  expect([signals, run.endCause]).toEqual([[], "by-itself"]);
});

test("an app whose run() has returned, and which does not end, gets the error all the same", async () => {
  const { run, signals } = await raiseErrors({ 0: "entered", 0.9: "returned" });
  expect([signals.length, run.endCause]).toEqual([1, "error"]);
});
