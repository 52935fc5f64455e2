import { expect, test } from "vitest";
import { poseFromRpy } from "../../robot/kinematics/pose.ts";
import { MotionHistory } from "./motion-history.ts";

const state = (timestamp: number, yaw: number) => ({
  timestamp,
  headPose: poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw }),
  headJoints: [0.1, 0, 0, 0, 0, 0, 0],
  antennas: [-0.2, 0.3],
});

test("keeps twenty seconds: times relative to the latest, angles in degrees", () => {
  const history = new MotionHistory();
  for (let i = 0; i <= 300; i++) history.push(state(1000 + i / 10, i / 1000));
  const [times = [], yaw = [], left = []] = history.columns(["yaw", "leftAntenna"]);
  expect(times).toHaveLength(201);
  expect(times[0]).toBeCloseTo(-20, 6);
  expect(times.at(-1)).toBe(0);
  expect(yaw.at(-1)).toBeCloseTo((0.3 * 180) / Math.PI, 6);
  expect(left[0]).toBeCloseTo((0.3 * 180) / Math.PI, 6);
  expect(history.latest("bodyYaw")).toBeCloseTo(5.73, 2);
});

test("starts over when the robot's clock jumps back", () => {
  const history = new MotionHistory();
  history.push(state(1000, 0));
  history.push(state(5, 0));
  expect(history.columns(["yaw"])).toEqual([[0], [0]]);
});

test("ignores a state that repeats the last measurement", () => {
  const history = new MotionHistory();
  history.push(state(1000, 0));
  history.push(state(1001, 0));
  history.push(state(1001, 0));
  expect(history.columns(["yaw"])).toEqual([
    [-1, 0],
    [0, 0],
  ]);
});

test("names the last motion once it is older than the window, and no time before", () => {
  const history = new MotionHistory();
  const stillAfter = (from: number, to: number, yaw: number) => {
    for (let second = from; second <= to; second++) history.push(state(second, yaw));
    return history.stillSince;
  };
  expect(stillAfter(0, 5, 0)).toBe(null);
  expect(stillAfter(6, 25, 0)).toBe(0);
  expect(stillAfter(26, 40, 0.1)).toBe(null);
  // Another motion than before: a page that drew the first one has to draw again, however long this one is over.
  expect(stillAfter(41, 65, 0.1)).toBe(26);
});

test("moves again after the robot's clock jumped back", () => {
  const history = new MotionHistory();
  for (let second = 100; second <= 130; second++) history.push(state(second, 0));
  expect(history.stillSince).toBe(100);
  history.push(state(5, 0));
  expect(history.stillSince).toBe(null);
});
