import path from "node:path";
import { expect, test } from "vitest";
import { Emitter } from "../../../common/emitter.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import type { AppState, AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { CrashRestarts } from "./crash-restarts.ts";

const info = { name: "wave_back", source_kind: "installed", description: "", url: null, extra: {} } as const;
const STATUS = { info, error: null, since: 0 };

async function open(file = path.join(temporaryFolder("restarts-"), "restart-after-crash.json")) {
  const clock = new ManualClock();
  const changes = new Emitter<AppStatus>();
  const userDecisions = new Emitter<"start" | "stop">();
  const starts: string[] = [];
  const slot = {
    changes,
    userDecisions,
    start: async (name: string) => {
      starts.push(name);
      return {} as AppStatus;
    },
  };
  const messages: string[] = [];
  const restarts = await CrashRestarts.open({ slot, clock, file, onRestart: (text) => messages.push(text) });
  const enter = (...states: AppState[]) => {
    for (const state of states) changes.emit({ ...STATUS, state });
  };
  return { slot, changes, restarts, clock, starts, messages, enter, userDecisions, file };
}

test("an app that fails is left alone until a person chooses otherwise; the choice is kept", async () => {
  const { restarts, clock, starts, enter, file } = await open();
  enter("running", "error");
  clock.advance(60_000);
  expect(starts).toEqual([]);
  await restarts.choose("wave-back", true);
  const next = await open(file);
  expect(next.restarts.has("wave_back")).toBe(true);
  await next.restarts.choose("wave_back", false);
  expect((await open(file)).restarts.has("wave_back")).toBe(false);
});

test("choices that are made at the same time are all kept", async () => {
  const { restarts, file } = await open();
  const names = ["one", "two", "three"];
  await Promise.all(names.map((name) => restarts.choose(name, true)));
  const next = await open(file);
  expect(names.filter((name) => next.restarts.has(name))).toEqual(names);
});

test("a try that fails is not started again", async () => {
  const { restarts, clock, starts, enter, changes } = await open();
  await restarts.choose("wave_back", true);
  enter("running");
  changes.emit({ ...STATUS, state: "error", trial: true });
  clock.advance(60_000);
  expect(starts).toEqual([]);
});

test("it is started three times, after longer and longer pauses, and then left alone", async () => {
  const { restarts, clock, starts, messages, enter } = await open();
  await restarts.choose("wave_back", true);
  for (const [index, pause] of [1000, 5000, 20_000].entries()) {
    enter("running", "error");
    clock.advance(pause - 1);
    expect(starts).toHaveLength(index);
    clock.advance(1);
    expect(starts).toHaveLength(index + 1);
  }
  enter("running", "error");
  clock.advance(100_000);
  expect(starts).toHaveLength(3);
  expect(messages.at(-1)).toBe("wave_back failed 4 times and is left alone.");
});

test("a long run counts from the first attempt again; an app that ends without an error is not started", async () => {
  const { restarts, clock, starts, enter } = await open();
  await restarts.choose("wave_back", true);
  for (let run = 0; run < 5; run += 1) {
    enter("running");
    clock.advance(61_000);
    enter("error");
    clock.advance(1000);
  }
  expect(starts).toHaveLength(5);
  enter("running", "done");
  clock.advance(60_000);
  expect(starts).toHaveLength(5);
});

test("an app that cannot be started again is left alone, with the reason", async () => {
  const { restarts, clock, messages, enter, slot } = await open();
  await restarts.choose("wave_back", true);
  slot.start = () => Promise.reject(new WorkbenchError("robot-not-ready", "The robot is not awake."));
  enter("running", "error");
  await clock.advanceAsync(1000);
  expect(messages.at(-1)).toBe("wave_back is left alone after it failed. The robot is not awake.");
});

test("a start or a stop by a person, and the end of the daemon, cancel it", async () => {
  const { restarts, clock, starts, enter, userDecisions } = await open();
  await restarts.choose("wave_back", true);
  enter("running", "error");
  userDecisions.emit("stop");
  clock.advance(60_000);
  enter("running", "error");
  restarts.close();
  clock.advance(60_000);
  expect(starts).toEqual([]);
});
