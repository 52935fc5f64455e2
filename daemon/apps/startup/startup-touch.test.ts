import { beforeEach, describe, expect, test } from "vitest";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { StartupHarness, settle } from "./testing/startup-harness.ts";

let harness: StartupHarness;

beforeEach(() => {
  harness = new StartupHarness();
});

describe("at a touch of an antenna", () => {
  test("the sleeping robot wakes up and the app starts", async () => {
    harness.robot.report("antenna_touched");
    await settle();
    expect(harness.robot.calls).toEqual(["wakeUp"]);
    expect(harness.started).toEqual(["hello"]);
  });

  test.each([
    ["it is awake", () => harness.robot.becomes({ awake: true })],
    ["it is not ready", () => harness.robot.becomes({ phase: "error" })],
    ["no startup app is chosen", () => harness.startup.choose(null)],
    ["an app holds the slot", () => (harness.busy = true)],
    ["a program outside the slot moves the robot", () => (harness.remote = true)],
  ])("nothing happens when %s", async (_, arrange) => {
    await arrange();
    harness.robot.report("antenna_touched");
    await settle();
    expect(harness.robot.calls).toEqual([]);
  });

  test("the app is installed before the robot wakes up", async () => {
    let finishInstall = () => {};
    harness.installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    harness.robot.report("antenna_touched");
    await settle();
    expect([harness.installs, harness.robot.calls]).toEqual([["hello"], []]);
    finishInstall();
    await settle();
    expect([harness.robot.calls, harness.started]).toEqual([["wakeUp"], ["hello"]]);
  });

  test("the robot wakes up when the app cannot be installed, and the install is tried again", async () => {
    harness.installing = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    harness.robot.report("antenna_touched");
    await settle();
    expect([harness.robot.calls, harness.started]).toEqual([["wakeUp"], []]);
    expect(harness.problems).toEqual([
      "The startup app cannot be installed. the hub is away The daemon tries again after the robot has woken up.",
    ]);
    harness.installing = Promise.resolve();
    harness.clock.advance(1000);
    await settle();
    expect(harness.started).toEqual(["hello"]);
  });

  test("an install that fails again and again is reported once", async () => {
    harness.installing = Promise.reject(new WorkbenchError("hub-unreachable", "the hub is away"));
    await harness.startup.prepare();
    harness.wake();
    for (const pause of [0, 1000, 5000, 20_000, 1_000_000]) {
      harness.clock.advance(pause);
      await settle();
    }
    expect([harness.installs.length, harness.problems.length, harness.started]).toEqual([5, 1, []]);
    harness.installing = Promise.reject(new WorkbenchError("disk-full", "the disk is full"));
    harness.robot.becomes({ awake: false });
    harness.wake();
    await settle();
    expect(harness.problems).toHaveLength(2);
  });

  test("an app that does not exist is not tried again before the next wake-up", async () => {
    harness.installing = Promise.reject(new WorkbenchError("app-not-found", "There is no such app."));
    await harness.startup.prepare();
    harness.wake();
    await settle();
    harness.clock.advance(1_000_000);
    await settle();
    expect([harness.installs.length, harness.started]).toEqual([2, []]);
    expect(harness.problems).toEqual([
      "The startup app cannot be installed. There is no such app. Start without it, or choose another with --startup-app or PUT /api/apps/startup-app.",
    ]);
  });

  test("the robot does not wake up when the daemon ends during the install", async () => {
    let finishInstall = () => {};
    harness.installing = new Promise((resolve) => {
      finishInstall = resolve;
    });
    harness.robot.report("antenna_touched");
    harness.startup.close();
    finishInstall();
    await settle();
    expect(harness.robot.calls).toEqual([]);
  });

  test("a wake-up that fails is reported, and the next touch tries again", async () => {
    harness.robot.wakeUp = () => Promise.reject(new WorkbenchError("robot-fault", "servo 3 is hot"));
    harness.robot.report("antenna_touched");
    harness.robot.report("antenna_touched");
    await settle();
    harness.robot.report("antenna_touched");
    await settle();
    expect(harness.problems).toEqual(Array(2).fill("The robot did not wake up at the touch: servo 3 is hot"));
  });
});
