import { expect, test } from "vitest";
import { poseFromRpy, rpyOf } from "../../../../robot/kinematics/pose.ts";
import { TargetStore } from "./target-store.ts";

const head = poseFromRpy([0, 0, 0.01], { roll: 0, pitch: 0, yaw: 0.2 });
const last = { head, antennas: [0.1, -0.1], bodyYaw: 0.3 } as const;
const targets = new TargetStore(() => {});

test("a relative target shifts and turns the head in the world frame, and adds the angles", () => {
  const offset = poseFromRpy([0.005, 0, 0.002], { roll: 0, pitch: 0, yaw: -0.05 });
  const to = targets.resolveGoto({ relative: true, head: offset, antennas: [0.2, 0], bodyYaw: 0.1 }, last);
  expect([to.head[3], to.head[7], to.head[11]]).toEqual([0.005, 0, expect.closeTo(0.012)]);
  expect(rpyOf(to.head)).toEqual({ roll: 0, pitch: expect.closeTo(0), yaw: expect.closeTo(0.15) });
  expect(to.antennas).toEqual([expect.closeTo(0.3), -0.1]);
  expect(to.bodyYaw).toBeCloseTo(0.4);
});

test("what a relative target leaves out stays, and the body follows the head", () => {
  const to = targets.resolveGoto({ relative: true, antennas: [0, 0.1] }, last);
  expect(to).toMatchObject({ antennas: [0.1, 0], bodyYaw: null });
  to.head.forEach((number, at) => {
    expect(number).toBeCloseTo(head[at] ?? 0);
  });
});

test("an offset that is no rigid transform is refused", () => {
  expect(() => targets.resolveGoto({ relative: true, head: Array(16).fill(0) }, last)).toThrow(
    "send a rigid transform",
  );
});
