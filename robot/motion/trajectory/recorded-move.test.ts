import { expect, test } from "vitest";
import { DEFAULT_POSE } from "../../description/poses.ts";
import { legAngles } from "../../kinematics/inverse.ts";
import { poseDistance, poseFromRpy } from "../../kinematics/pose.ts";
import { parseRecordedMove } from "../../wire/robot/recording.ts";
import type { Clip } from "../limits/clip.ts";
import { initialState, limitTarget } from "../limits/limit-target.ts";
import { recordedMove } from "./recorded-move.ts";

const rows = (yaw: number) => {
  const m = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw });
  return [m.slice(0, 4), m.slice(4, 8), m.slice(8, 12), m.slice(12, 16)];
};
const FILE = {
  description: "a look",
  time: [10, 11, 12],
  set_target_data: [
    { head: rows(0), antennas: [0, 0], body_yaw: 0 },
    { head: rows(0.4).flat(), antennas: [1, -1], body_yaw: 0.5 },
    { head: rows(0), antennas: [0, 0], check_collision: false },
  ],
};

const parse = (file: unknown) => parseRecordedMove(JSON.stringify(file), "look", async () => {});

test("a recording of the public format is played from where the robot is, through its frames", async () => {
  const [first, ...rest] = await parse(FILE);
  if (first === undefined) throw new Error("there are three frames");
  const from = { ...DEFAULT_POSE, bodyYaw: 0.2 };
  const move = recordedMove(from, [first, ...rest]);
  const approach = move.duration - 2;
  expect(approach).toBeGreaterThan(0);
  expect(move.sample(0).bodyYaw).toBeCloseTo(0.2);
  const between = move.sample(approach + 0.5);
  expect(between.antennas[0]).toBeCloseTo(0.5);
  expect(between.antennas[1]).toBeCloseTo(-0.5);
  expect(between.bodyYaw).toBeCloseTo(0.25);
  const half = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: 0.2 });
  expect(poseDistance(move.sample(approach + 0.5).head, half).radians).toBeLessThan(1e-6);
  expect(move.sample(approach + 9)).toMatchObject({ antennas: [0, 0], bodyYaw: 0 });
});

test.each([
  {
    joints: "the antennas",
    from: { ...DEFAULT_POSE, antennas: [-3.05, 3.05] as const },
    to: { antennas: [3.05, -3.05] as [number, number], bodyYaw: 0 },
  },
  {
    joints: "the body",
    from: { ...DEFAULT_POSE, bodyYaw: -1 },
    to: { antennas: [...DEFAULT_POSE.antennas] as [number, number], bodyYaw: 1 },
  },
])("a recording is approached without reaching the velocity limit when $joints have far to go", ({ from, to }) => {
  const move = recordedMove(from, [{ t: 0, head: [...DEFAULT_POSE.head], ...to }]);
  let state = initialState([from.bodyYaw, ...legAngles(from.head, from.bodyYaw), ...from.antennas]);
  const clips: Clip[] = [];
  const tick = 0.01;
  for (let t = tick; t < move.duration + tick; t += tick) {
    const limited = limitTarget({ ...move.sample(t), automaticBodyYaw: false }, state, tick);
    clips.push(...limited.clipped);
    state = limited.state;
  }
  expect(clips).toEqual([]);
  const [body = 9, right = 9, left = 9] = [state.joints[0], ...state.joints.slice(7)];
  expect(Math.abs(body - to.bodyYaw)).toBeLessThan(0.05);
  expect(Math.abs(right - to.antennas[0])).toBeLessThan(0.05);
  expect(Math.abs(left - to.antennas[1])).toBeLessThan(0.05);
});

test.each([
  ["times that fall", { ...FILE, time: [1, 0, 2] }, "look.time[1] is 0; it must be at least the one before"],
  ["a time that is no number", { ...FILE, time: [1, "2", 3] }, 'look.time[1] is "2"; it must be a number.'],
  ["eleven minutes", { ...FILE, time: [0, 1, 660] }, "at most 600 s after the first"],
  [
    "a head that is no pose",
    { ...FILE, set_target_data: Array(3).fill({ ...FILE.set_target_data[0], head: Array(16).fill(0) }) },
    "look.set_target_data[0].head",
  ],
  [
    "lists in lists",
    { ...FILE, more: JSON.parse("[".repeat(60) + "]".repeat(60)) },
    "look.more[0] is more than 50 levels deep",
  ],
  ["too many frames", { ...FILE, time: Array(60_001).fill(0) }, "look.time has more than 60000 items."],
])("a recording with %s is refused", async (_, file, message) => {
  await expect(parse(file)).rejects.toMatchObject({ code: "bad-request", message: expect.stringContaining(message) });
});

test("others have their turn while a long recording is read", async () => {
  let pauses = 0;
  const frames = 5000;
  const file = {
    time: Array.from({ length: frames }, (_, index) => index / 100),
    set_target_data: Array(frames).fill(FILE.set_target_data[0]),
  };
  const pause = async () => {
    pauses += 1;
  };
  const parsed = await parseRecordedMove(JSON.stringify(file), "long", pause);
  expect(parsed).toHaveLength(frames);
  expect(pauses).toBeGreaterThan(50);
});
