import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TestRunEvent } from "../../../verdict/verdict.ts";
import { countPerBin, indexAt, logEntries, sampleAt, stateAt, stateBands } from "./recording.ts";

const slot = (t: number, state: TestRunEvent["state"]): TestRunEvent => ({
  t,
  kind: "slot",
  state,
  level: "info",
  text: "",
});

describe("the states of the app", () => {
  const bands = stateBands({ duration: 9, events: [slot(1, "starting"), slot(2, "running"), slot(5, "done")] });

  test("follow one another until the end of the test run", () => {
    expect(bands).toEqual([
      { state: "starting", from: 1, to: 2 },
      { state: "running", from: 2, to: 5 },
      { state: "done", from: 5, to: 9 },
    ]);
  });

  test("begin with their event; before the first there is none", () => {
    expect([0.9, 1, 4.99, 5, 9].map((t) => stateAt(bands, t))).toEqual([null, "starting", "running", "done", "done"]);
  });
});

test("indexAt finds the last time that is not after the given one", () => {
  const sorted = fc.array(fc.integer({ min: 0, max: 50 })).map((times) => times.sort((a, b) => a - b));
  fc.assert(
    fc.property(sorted, fc.integer({ min: -1, max: 51 }), (times, t) => {
      expect(indexAt(times, t)).toBe(times.findLastIndex((time) => time <= t));
    }),
  );
});

describe("the sample at a time", () => {
  const nine = (value: number) => new Array<number>(9).fill(value);
  const motion = { t: [1, 2, 3], measured: [nine(0), nine(1), nine(3)], sent: [nine(10), nine(20), null] };

  test("is interpolated between two recorded samples", () => {
    expect(sampleAt(motion, 1.25)).toEqual({ measured: nine(0.25), sent: nine(12.5) });
  });

  test("is the nearest recorded sample outside of the recording", () => {
    expect(sampleAt(motion, 0)).toEqual({ measured: nine(0), sent: nine(10) });
    expect(sampleAt(motion, 99)).toEqual({ measured: nine(3), sent: null });
  });

  test("keeps the last sent angles until the motors are off", () => {
    expect(sampleAt(motion, 2.9)?.sent).toEqual(nine(20));
  });

  test("is undefined when nothing was recorded", () => {
    expect(sampleAt({ t: [], measured: [], sent: [] }, 1)).toBeUndefined();
  });
});

test("lines are counted by the time they were printed", () => {
  const log = [0, 0.1, 5, 9.99, 10, 11].map((t) => ({ t, stream: "stdout" as const, text: "" }));
  expect(countPerBin(log, 0, 10, 2)).toEqual([2, 3]);
});

test("an event is listed before the lines of the same time", () => {
  const entries = logEntries({
    events: [slot(2, "running")],
    log: [1, 2, 3].map((t) => ({ t, stream: "stderr", text: "" })),
  });
  expect(entries.map(({ t, source }) => `${t} ${source}`)).toEqual(["1 stderr", "2 slot", "2 stderr", "3 stderr"]);
});
