import { describe, expect, test } from "vitest";
import { DEFAULT_POSE } from "../../description/poses.ts";
import { legAngles } from "../../kinematics/inverse.ts";
import { poseFromRpy } from "../../kinematics/pose.ts";
import { previewClip } from "./preview-clip.ts";

const LEVEL = { roll: 0, pitch: 0, yaw: 0 };
const joints = [DEFAULT_POSE.bodyYaw, ...legAngles(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw), ...DEFAULT_POSE.antennas];
const preview = (head = DEFAULT_POSE.head, antennas: readonly [number, number] = DEFAULT_POSE.antennas) =>
  previewClip({ head, antennas, bodyYaw: null, automaticBodyYaw: true }, joints);

describe("the preview of a clip", () => {
  test("is absent for a distant target that can be reached, at any speed", () => {
    expect(preview(poseFromRpy([0, 0, 0.01], { ...LEVEL, yaw: 1.5 }))).toBeUndefined();
  });

  test("describes a head out of reach and a joint beyond its range", () => {
    expect(preview(poseFromRpy([0, 0, 0.1], LEVEL))).toMatch(/cannot reach the pose/);
    expect(preview(DEFAULT_POSE.head, [4, 0])).toMatch(/right_antenna was asked for 229.2 degrees/);
  });

  test("rejects numbers that are not finite", () => {
    expect(() => preview(DEFAULT_POSE.head, [Number.NaN, 0])).toThrow(/antenna/);
  });
});
