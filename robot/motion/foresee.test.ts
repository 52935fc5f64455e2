import { describe, expect, test } from "vitest";
import { INIT } from "../description/poses.ts";
import { legAngles } from "../kinematics/inverse.ts";
import { poseFromRpy } from "../kinematics/pose.ts";
import { foreseeClip } from "./foresee.ts";

const LEVEL = { roll: 0, pitch: 0, yaw: 0 };
const joints = [INIT.bodyYaw, ...legAngles(INIT.head, INIT.bodyYaw), ...INIT.antennas];
const foresee = (head = INIT.head, antennas: readonly [number, number] = INIT.antennas) =>
  foreseeClip({ head, antennas, bodyYaw: null, automaticBodyYaw: true }, joints);

describe("before anything moves", () => {
  test("a target far away but possible is no matter, however fast", () => {
    expect(foresee(poseFromRpy([0, 0, 0.01], { ...LEVEL, yaw: 1.5 }))).toBeUndefined();
  });

  test("what is out of reach or range is told", () => {
    expect(foresee(poseFromRpy([0, 0, 0.1], LEVEL))).toMatch(/cannot reach the pose/);
    expect(foresee(INIT.head, [4, 0])).toMatch(/right_antenna was asked for 229.2 degrees/);
  });

  test("what is no posture is refused", () => {
    expect(() => foresee(INIT.head, [Number.NaN, 0])).toThrow(/antenna/);
  });
});
