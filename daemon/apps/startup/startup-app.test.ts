import { beforeEach, describe, expect, test } from "vitest";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { appStatus, StartupHarness, settle } from "./testing/startup-harness.ts";

let harness: StartupHarness;

beforeEach(() => {
  harness = new StartupHarness();
});

describe("after a wake-up", () => {
  test("the app starts when the robot has finished waking up, not before", async () => {
    harness.robot.becomes({ awake: true, move: { id: "1", kind: "wake_up" } });
    await settle();
    expect(harness.started).toEqual([]);
    harness.robot.becomes({ move: null });
    harness.robot.becomes({ timestamp: 1 });
    await settle();
    expect(harness.started).toEqual(["hello"]);
  });

  test("it starts when the robot is awake already", async () => {
    harness.wake();
    harness.startup.close();
    harness.started = [];
    harness.startup = harness.create();
    await settle();
    expect(harness.started).toEqual(["hello"]);
  });

  test.each([
    ["no startup app is chosen", () => harness.startup.choose(null)],
    ["another app holds the slot", () => (harness.busy = true)],
    ["a program outside the slot moves the robot", () => (harness.remote = true)],
  ])("nothing starts when %s", async (_, arrange) => {
    await arrange();
    harness.wake();
    await settle();
    expect(harness.started).toEqual([]);
  });

  test("it starts again after each further wake-up", async () => {
    harness.wake();
    await settle();
    harness.robot.becomes({ awake: false });
    harness.wake();
    await settle();
    expect(harness.started).toEqual(["hello", "hello"]);
  });
});

describe("after a decision of a user", () => {
  const loseRobot = () => harness.robot.becomes({ phase: "error" });
  const findRobot = () => harness.robot.becomes({ phase: "running" });

  test.each(["start", "stop"] as const)(
    "a %s, the app does not start when the robot is connected again",
    async (what) => {
      harness.wake();
      await settle();
      harness.userDecisions.emit(what);
      harness.changes.emit(appStatus(what === "stop" ? "done" : "error"));
      loseRobot();
      findRobot();
      await settle();
      expect(harness.started).toHaveLength(1);
    },
  );

  test("the app starts after the next wake-up, and says so", async () => {
    harness.wake();
    await settle();
    harness.userDecisions.emit("stop");
    harness.robot.becomes({ awake: false });
    harness.wake();
    await settle();
    expect(harness.started).toHaveLength(2);
    expect(harness.starts).toEqual(Array(2).fill("Starting the startup app hello: the robot is awake."));
  });

  test("the app does not start when the user stopped it during its install", async () => {
    let finishInstall = () => {};
    harness.installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    harness.wake();
    await settle();
    harness.userDecisions.emit("stop");
    finishInstall();
    await settle();
    expect(harness.started).toEqual([]);
  });

  test("the app is not retried when the user stopped it while it started", async () => {
    harness.startError = new WorkbenchError("app-start-failed", "no such program");
    harness.wake();
    harness.userDecisions.emit("stop");
    await settle();
    harness.clock.advance(1_000_000);
    await settle();
    expect(harness.started.length).toBeLessThanOrEqual(1);
  });
});

test("without a decision of a user, the app starts again when a lost robot is connected again", async () => {
  harness.wake();
  await settle();
  harness.changes.emit(appStatus("done"));
  harness.robot.becomes({ phase: "error" });
  harness.robot.becomes({ phase: "running" });
  await settle();
  expect(harness.started).toHaveLength(2);
});
