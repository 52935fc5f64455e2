import { beforeEach, describe, expect, test } from "vitest";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { appStatus, StartupHarness, settle } from "./testing/startup-harness.ts";

let harness: StartupHarness;

beforeEach(() => {
  harness = new StartupHarness();
});

describe("a startup app that fails", () => {
  const fail = async (milliseconds: number) => {
    harness.clock.advance(milliseconds);
    await settle();
    harness.changes.emit(appStatus("error", "The app exited with code 1."));
  };

  test("is started three times more, with longer and longer pauses, and again after the next wake-up", async () => {
    harness.wake();
    await fail(0);
    expect(harness.problems).toEqual([
      "The startup app hello failed. The daemon starts it again in 1 s. The app exited with code 1.",
    ]);
    await fail(1000);
    await fail(5000);
    await fail(20_000);
    await fail(1_000_000);
    expect(harness.started).toHaveLength(4);
    expect(harness.problems.at(-1)).toContain("The next wake-up starts it again.");
    harness.robot.becomes({ awake: false });
    harness.wake();
    await fail(0);
    await fail(1000);
    expect(harness.started).toHaveLength(6);
  });

  test("is started again when its start failed", async () => {
    harness.startError = new WorkbenchError("app-not-found", 'No app named "hello" is installed.');
    harness.wake();
    await settle();
    harness.startError = null;
    harness.clock.advance(1000);
    await settle();
    expect(harness.started).toHaveLength(2);
    expect(harness.problems).toHaveLength(1);
  });

  test("is not started again when its start failed because the daemon ended", async () => {
    Object.defineProperty(harness, "startError", {
      get: () => {
        harness.startup.close();
        return new WorkbenchError("robot-not-ready", "The daemon is shutting down.");
      },
    });
    harness.wake();
    await settle();
    harness.clock.advance(1_000_000);
    await settle();
    expect([harness.started.length, harness.problems]).toEqual([1, []]);
  });

  test("is not started again after a decision of a user", async () => {
    harness.wake();
    await fail(0);
    harness.userDecisions.emit("stop");
    harness.clock.advance(1_000_000);
    await settle();
    expect(harness.started).toHaveLength(1);
  });

  test("is started once after a wake-up, which takes the place of the attempt that was planned", async () => {
    harness.wake();
    await fail(0);
    harness.robot.becomes({ awake: false });
    harness.wake();
    await fail(0);
    harness.userDecisions.emit("stop");
    harness.clock.advance(1_000_000);
    await settle();
    expect(harness.started).toHaveLength(2);
  });

  test("is not started again when a user started it", async () => {
    harness.changes.emit(appStatus("error", "crashed"));
    harness.clock.advance(1_000_000);
    await settle();
    expect([harness.started, harness.problems]).toEqual([[], []]);
  });

  test("is not retried when another app took the slot first", async () => {
    harness.startError = new WorkbenchError("app-already-running", "An app is already running");
    harness.wake();
    harness.clock.advance(1_000_000);
    await settle();
    expect([harness.started.length, harness.problems]).toEqual([1, []]);
  });
});

test("a robot waits two minutes for the installation, then wakes up without; the app starts when it is installed", async () => {
  harness.installing = new Promise(() => {});
  let isOver = false;
  void harness.startup.prepare().then(() => {
    isOver = true;
  });
  harness.clock.advance(119_999);
  await settle();
  expect(isOver).toBe(false);
  harness.clock.advance(1);
  await settle();
  expect([isOver, harness.problems]).toEqual([true, [expect.stringMatching(/takes long: the robot wakes up/)]]);
});

test.each([
  ["asleep", { awake: false }, false, /not awake/],
  ["lost", { awake: true, phase: "error" }, false, /not awake/],
  ["waking up", { awake: true, move: { id: "w", kind: "wake_up" } }, false, /not awake/],
  ["moved by a program", { awake: true }, true, /outside the slot/],
] as const)("the daemon itself starts no app on a robot that is %s", (_, state, remote, why) => {
  harness.robot.becomes(state);
  harness.remote = remote;
  expect(harness.startup.whyNotByItself()).toMatch(why);
  harness.remote = false;
  harness.robot.becomes({ awake: true, phase: "running", move: null });
  expect(harness.startup.whyNotByItself()).toBeNull();
});
