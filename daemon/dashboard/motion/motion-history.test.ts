import { expect, test } from "vitest";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
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

test("is still once the last motion is older than the window", () => {
  const history = new MotionHistory();
  const stillAt = (from: number, to: number, yaw: number) => {
    for (let second = from; second <= to; second++) history.push(state(second, yaw));
    return history.isStill;
  };
  expect(stillAt(0, 5, 0)).toBe(false);
  expect(stillAt(6, 25, 0)).toBe(true);
  expect(stillAt(26, 40, 0.1)).toBe(false);
  expect(stillAt(41, 65, 0.1)).toBe(true);
});
