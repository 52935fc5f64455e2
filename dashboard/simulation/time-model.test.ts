import { expect, test } from "vitest";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import type { Client } from "../connection/client.ts";
import { TimeModel } from "./time-model.ts";

/** A model on a clock in milliseconds, and what it asks of the daemon, which answers with `answer`. */
function setUp() {
  const clock = { ms: 0 };
  const asked: [string, unknown][] = [];
  const daemon: { answer: SimulatedTime } = {
    answer: { time: 50, paused: false, speed: 1, kept: { earliest: 30, latest: 50 } },
  };
  const request = async <T>(path: string, body?: unknown): Promise<T> => {
    asked.push([path.replace("/api/simulation/", ""), body]);
    return daemon.answer as T;
  };
  const client: Client = { get: request, post: request, put: request, delete: request };
  const model = new TimeModel(
    client,
    () => undefined,
    () => clock.ms,
  );
  return { clock, asked, daemon, model };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the slider goes from the oldest moment, at most 30 s ago, to now", async () => {
  const { clock, model } = setUp();
  expect(model.range).toEqual({ oldest: 0, shown: 0 });
  await model.load();
  expect(model.range).toEqual({ oldest: -20, shown: 0 });
  clock.ms = 4000;
  expect(model.range.oldest).toBeCloseTo(-24, 6);
  clock.ms = 60_000;
  expect(model.range).toEqual({ oldest: -30, shown: 0 });
});

test("moving the slider asks for the moment, and stays where it was moved to", async () => {
  const { asked, daemon, model } = setUp();
  await model.load();
  daemon.answer = { time: 48.04, paused: true, speed: 1, kept: { earliest: 30, latest: 50 } };
  model.show(-2);
  await turn();
  expect(asked.at(-1)).toEqual(["rewind", { to: 48 }]);
  expect(model.range.shown).toBeCloseTo(-2, 6);
  // Another page has moved it.
  model.receive({ ...daemon.answer, time: 41 });
  expect(model.range.shown).toBeCloseTo(-9, 6);
});

test("a speed that is chosen while the robot is paused counts when it goes on", async () => {
  const { asked, model } = setUp();
  model.receive({ time: 50, paused: true, speed: 1, kept: null });
  model.setSpeed(0.25);
  expect(asked).toEqual([]);
  expect(model.speed.value).toBe(0.25);
  await model.resume();
  expect(asked).toEqual([["resume", { speed: 0.25 }]]);
  model.setSpeed(0.5);
  await turn();
  expect(asked.at(-1)).toEqual(["resume", { speed: 0.5 }]);
});
