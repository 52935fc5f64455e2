import { expect, test } from "vitest";
import { type Motion, plotColumns, sampleAt } from "./motion.ts";

const motionOf = (...times: number[]): Motion => ({
  samples: times.map((time) => ({ timestamp: time, headPose: [time], headJoints: [0], antennas: [time, 0] })),
});

test("the sample at a time is the last one before it", () => {
  const motion = motionOf(0, 1, 2);
  expect([0, 0.9, 1, 1.5, 9].map((time) => sampleAt(motion, time)?.timestamp)).toEqual([0, 0, 1, 1, 2]);
});

test("the plot has both motions on the times of the longer one, with a gap after the shorter", () => {
  const [times, first, second, third] = plotColumns(motionOf(0, 1), motionOf(0, 1, 2), [
    ({ headPose: [yaw = 0] }) => yaw,
    ({ antennas: [right = 0] }) => -right,
  ]);
  expect(times).toEqual([0, 1, 2]);
  expect(first?.map((value) => value?.toFixed(0))).toEqual(["0", "1", undefined]);
  expect(second?.map((value) => value?.toFixed(0))).toEqual(["0", "1", "2"]);
  expect(third?.map((value) => value?.toFixed(0))).toEqual(["0", "-1", undefined]);
});
