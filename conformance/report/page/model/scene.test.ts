import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SceneEvent } from "../../../verdict/verdict.ts";
import { density, indexAt, momentAt, slotBands, stateAt, story } from "./scene.ts";

const slot = (t: number, state: SceneEvent["state"]): SceneEvent => ({
  t,
  kind: "slot",
  state,
  level: "info",
  text: "",
});

describe("the states of the slot", () => {
  const bands = slotBands({ duration: 9, events: [slot(1, "starting"), slot(2, "running"), slot(5, "done")] });

  test("follow each other to the end of the scene", () => {
    expect(bands).toEqual([
      { state: "starting", from: 1, to: 2 },
      { state: "running", from: 2, to: 5 },
      { state: "done", from: 5, to: 9 },
    ]);
  });

  test("hold from the moment they are told; before the first there is none", () => {
    expect([0.9, 1, 4.99, 5, 9].map((t) => stateAt(bands, t))).toEqual([null, "starting", "running", "done", "done"]);
  });
});

test("the last time that is not after a moment", () => {
  const sorted = fc.array(fc.integer({ min: 0, max: 50 })).map((times) => times.sort((a, b) => a - b));
  fc.assert(
    fc.property(sorted, fc.integer({ min: -1, max: 51 }), (times, t) => {
      expect(indexAt(times, t)).toBe(times.findLastIndex((time) => time <= t));
    }),
  );
});

describe("where the robot was", () => {
  const nine = (value: number) => new Array<number>(9).fill(value);
  const motion = { t: [1, 2, 3], measured: [nine(0), nine(1), nine(3)], sent: [nine(10), nine(20), null] };

  test("is on a straight line between two recorded moments", () => {
    expect(momentAt(motion, 1.25)).toEqual({ measured: nine(0.25), sent: nine(12.5) });
  });

  test("is the nearest one outside of them", () => {
    expect(momentAt(motion, 0)).toEqual({ measured: nine(0), sent: nine(10) });
    expect(momentAt(motion, 99)).toEqual({ measured: nine(3), sent: null });
  });

  test("stays what was sent last until the motors are off", () => {
    expect(momentAt(motion, 2.9)?.sent).toEqual(nine(20));
  });

  test("is not known when nothing was recorded", () => {
    expect(momentAt({ t: [], measured: [], sent: [] }, 1)).toBeUndefined();
  });
});

test("lines are counted where they were written", () => {
  const log = [0, 0.1, 5, 9.99, 10, 11].map((t) => ({ t, stream: "stdout" as const, text: "" }));
  expect(density(log, 0, 10, 2)).toEqual([2, 3]);
});

test("the story has an event before the lines of its moment", () => {
  const told = story({ events: [slot(2, "running")], log: [1, 2, 3].map((t) => ({ t, stream: "stderr", text: "" })) });
  expect(told.map(({ t, of }) => `${t} ${of}`)).toEqual(["1 stderr", "2 slot", "2 stderr", "3 stderr"]);
});
