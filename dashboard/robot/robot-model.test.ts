import { expect, test } from "vitest";
import { IDENTITY } from "../../robot/kinematics/pose.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import { RobotModel } from "./robot-model.ts";

const state = (change: Partial<RobotState>): RobotState => ({
  timestamp: 1,
  phase: "running",
  motorMode: "enabled",
  awake: true,
  headJoints: [0, 0, 0, 0, 0, 0, 0],
  antennas: [0, 0],
  headPose: IDENTITY,
  imu: null,
  sent: null,
  move: null,
  loop: { frequencyHz: 100, periodP50Ms: 10, periodP99Ms: 10.2, missed: 0, busErrors: 0 },
  error: null,
  ...change,
});

test("figures of the loop are updated once a second, phases immediately", () => {
  let now = 0;
  const robot = new RobotModel(() => now);
  robot.receive(state({}));
  now = 100;
  robot.receive(state({ phase: "error", loop: { ...state({}).loop, frequencyHz: 50 } }));
  expect(robot.phase.value).toBe("error");
  expect(robot.loop.value?.frequencyHz).toBe(100);
  now = 1000;
  robot.receive(state({ loop: { ...state({}).loop, frequencyHz: 50 } }));
  expect(robot.loop.value?.frequencyHz).toBe(50);
});

test("lost answers count as a share of nine a period, and fade", () => {
  let now = 0;
  const robot = new RobotModel(() => now);
  const at = (time: number, busErrors: number) => {
    now = time;
    robot.receive(state({ loop: { ...state({}).loop, busErrors } }));
    return robot.answerLoss.value;
  };
  expect(at(0, 900)).toBe(0);
  expect(at(1000, 1080)).toBeCloseTo(0.1, 9);
  expect(at(2000, 1080)).toBeCloseTo(0.05, 9);
});

test("a listener gets the latest state immediately and none after it unsubscribed", () => {
  const robot = new RobotModel(() => 0);
  robot.receive(state({ timestamp: 7 }));
  const heard: number[] = [];
  const leave = robot.onState(({ timestamp }) => heard.push(timestamp));
  robot.receive(state({ timestamp: 8 }));
  leave();
  robot.receive(state({ timestamp: 9 }));
  expect(heard).toEqual([7, 8]);
});

test("a robot has woken up when its move has ended", async () => {
  const robot = new RobotModel(() => 0);
  robot.receive(state({ motorMode: "disabled", awake: false }));
  expect(robot.sleeps).toBe(true);
  let hasWoken = false;
  const awoken = robot.awoken(60_000).then(() => {
    hasWoken = true;
  });
  const move = { id: "1", kind: "wake_up" } as RobotState["move"];
  robot.receive(state({ awake: false, move }));
  robot.receive(state({ awake: true, move }));
  await Promise.resolve();
  expect(hasWoken).toBe(false);
  robot.receive(state({ awake: true }));
  await awoken;
  expect(robot.sleeps).toBe(false);
});
