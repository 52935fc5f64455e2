import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TestRun, TestRunEvent } from "../../../verdict/verdict.ts";
import { Player, STEP } from "./player.ts";

const event = (t: number): TestRunEvent => ({ t, kind: "action", state: null, level: "info", text: "" });
const testRun = (duration: number): TestRun => ({
  ...{ id: `of-${duration}`, title: "", duration, log: [], motion: { t: [], measured: [], sent: [] } },
  events: [event(duration / 4), event(duration / 2)],
});

const opened = (duration: number, t = 0): Player => {
  const player = new Player();
  player.open(testRun(duration), t);
  return player;
};

describe("playing", () => {
  test("advances at its speed, stops at the end and starts over from there", () => {
    const player = opened(2);
    player.speed.value = 0.5;
    player.toggle();
    player.advance(1);
    expect([player.time.value, player.playing.value]).toEqual([0.5, true]);
    player.advance(10);
    expect([player.time.value, player.playing.value]).toEqual([2, false]);
    player.toggle();
    expect([player.time.value, player.playing.value]).toEqual([0, true]);
  });

  test("ends when another test run is opened, which is shown completely", () => {
    const player = opened(8);
    player.zoomBy(4);
    player.toggle();
    player.open(testRun(3), 1);
    expect([player.time.value, player.playing.value]).toEqual([1, false]);
    expect(player.window.value).toEqual({ from: 0, to: 3 });
  });
});

test("jumpToEvent goes to the next event, the previous one, or an end", () => {
  const player = opened(8);
  const after = (direction: 1 | -1) => {
    player.jumpToEvent(direction);
    return player.time.value;
  };
  expect([after(1), after(1), after(1), after(-1), after(-1), after(-1)]).toEqual([2, 4, 8, 4, 2, 0]);
});

test("after any actions, the time is within the window and the window within the test run", () => {
  const action = fc.oneof(
    fc.record({ seek: fc.double({ min: -5, max: 50, noNaN: true }) }),
    fc.record({ zoomBy: fc.constantFrom(0.5, 2, 1000) }),
    fc.record({ step: fc.constantFrom(-1, 1, STEP, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY) }),
    fc.record({ leap: fc.constantFrom<1 | -1>(1, -1) }),
    fc.record({ advance: fc.double({ min: 0, max: 5, noNaN: true }) }),
    fc.constant({ toggle: true }),
    fc.record({ open: fc.constantFrom(0, 0.5, 7, 60) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const player = opened(10);
      for (const each of actions) {
        if ("seek" in each) player.seek(each.seek);
        if ("zoomBy" in each) player.zoomBy(each.zoomBy);
        if ("step" in each) player.step(each.step);
        if ("leap" in each) player.jumpToEvent(each.leap);
        if ("advance" in each) player.advance(each.advance);
        if ("toggle" in each) player.toggle();
        if ("open" in each) player.open(testRun(each.open));
        const [t, { from, to }] = [player.time.value, player.window.value];
        expect(0 <= from && from <= t && t <= to && to <= player.duration + 1e-9).toBe(true);
      }
    }),
  );
});
