import { beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { RecordingRobot } from "../apps/testing/recording-robot.ts";
import { wakeUpWhenConnected } from "./wake-up.ts";

let robot: RecordingRobot;
let clock: ManualClock;
let closing: AbortController;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const retried: string[] = [];
const wakeUp = () => wakeUpWhenConnected(robot.asRobot(), clock, closing.signal, ({ detail }) => retried.push(detail));

beforeEach(() => {
  robot = new RecordingRobot();
  clock = new ManualClock();
  closing = new AbortController();
  retried.length = 0;
});

/** Lets the next wake-ups fail, and counts all of them. */
function failWakeUps(error: Error, times: number): () => number {
  let count = 0;
  robot.wakeUp = async () => {
    count++;
    if (count <= times) throw error;
    return "finished";
  };
  return () => count;
}

test("the robot wakes up when it is connected, not before", async () => {
  robot.becomes({ phase: "starting" });
  const awake = wakeUp();
  await settle();
  expect(robot.calls).toEqual([]);
  robot.becomes({ phase: "running" });
  await awake;
  expect(robot.calls).toEqual(["wakeUp"]);
});

test("servos that do not answer for a while are tried again", async () => {
  const count = failWakeUps(new WorkbenchError("robot-not-ready", "Servo 11 does not answer."), 3);
  const awake = wakeUp();
  for (let pause = 0; pause < 3; pause++) {
    await settle();
    clock.advance(1000);
  }
  await awake;
  expect(count()).toBe(4);
  expect(retried).toEqual(["Servo 11 does not answer."]);
});

test("servos that never answer are an error after a minute", async () => {
  const count = failWakeUps(new WorkbenchError("robot-not-ready", "Servo 11 does not answer."), 100);
  const awake = expect(wakeUp()).rejects.toThrow("Servo 11 does not answer.");
  for (let pause = 0; pause < 60; pause++) {
    await settle();
    clock.advance(1000);
  }
  await awake;
  expect(count()).toBe(61);
});

test.each([
  ["between two attempts", true],
  ["during an attempt", false],
])("a daemon that begins to close %s does not try again, and reports nothing", async (_, isBetween) => {
  let count = 0;
  robot.wakeUp = async () => {
    count++;
    if (!isBetween) closing.abort();
    throw new WorkbenchError("robot-not-ready", "The daemon is shutting down.");
  };
  const awake = wakeUp();
  await settle();
  closing.abort();
  await awake;
  clock.advance(1000);
  await settle();
  expect(count).toBe(1);
  expect(retried).toHaveLength(isBetween ? 1 : 0);
});

test.each([
  ["moves", "move_started"],
  ["turns on or off", "motor_mode"],
] as const)("a robot that somebody else %s between two attempts is left alone", async (_, kind) => {
  const count = failWakeUps(new WorkbenchError("robot-not-ready", "Servo 11 does not answer."), 100);
  const awake = wakeUp();
  await settle();
  robot.report(kind);
  clock.advance(1000);
  await awake;
  expect(count()).toBe(1);
});

test("a motor mode that is only restored between two attempts ends none", async () => {
  const count = failWakeUps(new WorkbenchError("robot-not-ready", "No answer from any servo."), 1);
  const awake = wakeUp();
  await settle();
  robot.report("motor_mode", { restored: true });
  clock.advance(1000);
  await awake;
  expect(count()).toBe(2);
});

test("a servo with a fault is an error immediately", async () => {
  const count = failWakeUps(new WorkbenchError("robot-fault", "Servo 11 is hot."), 1);
  await expect(wakeUp()).rejects.toThrow("Servo 11 is hot.");
  expect(count()).toBe(1);
});
