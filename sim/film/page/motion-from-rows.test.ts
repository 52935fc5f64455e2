import { expect, test } from "vitest";
import { rpyOf } from "../../../robot/kinematics/pose.ts";
import { frameOfJoints } from "../../../ui/viewer/frames/frame-of-state.ts";
import { motionFromRows, plottedColumn } from "./motion-from-rows.ts";

test("a row of degrees and millimetres is the robot in radians and metres, its legs where they hold the head", () => {
  const [sample] = motionFromRows([[0.5, 2, 10, -20, 1, 2, 3, -5, 90, -90]]).samples;
  expect(sample).toMatchObject({ timestamp: 0.5, antennas: [Math.PI / 2, -Math.PI / 2] });
  const { headPose = [], headJoints = [] } = sample ?? {};
  const { roll, pitch, yaw } = rpyOf(headPose as unknown as Parameters<typeof rpyOf>[0]);
  expect([roll, pitch, yaw].map((angle) => (180 / Math.PI) * angle)).toEqual(
    [2, 10, -20].map((each) => expect.closeTo(each)),
  );
  const held = frameOfJoints({ headJoints, antennas: [0, 0] }, headPose)?.headPosition;
  expect(held).toEqual([0.001, 0.002, 0.003].map((each) => expect.closeTo(each, 5)));
  expect(plottedColumn("head.x").value(sample as NonNullable<typeof sample>)).toBe(1);
});

test("a head that no leg reaches is drawn all the same", () => {
  const [sample] = motionFromRows([[0, 0, 0, 0, 0, 0, 500, 0, 0, 0]]).samples;
  expect(sample?.headJoints.every(Number.isFinite)).toBe(true);
});
