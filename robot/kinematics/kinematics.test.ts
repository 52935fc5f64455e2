import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEGREE } from "../../common/degree.ts";
import type { SixLegs } from "../description/frames.ts";
import { JOINTS } from "../description/joints.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "../description/poses.ts";
import { forwardKinematics } from "./forward.ts";
import { inverseKinematics, legAngles } from "./inverse.ts";
import { platformCondition } from "./jacobian.ts";
import { postureOf } from "./joint-groups.ts";
import { nearestReachable } from "./nearest.ts";
import { IDENTITY, interpolatePose, poseDistance, poseFromRpy, rotatedByYaw, rpyOf } from "./pose.ts";

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Head pose in the trunk frame, reaching a little beyond the workspace on every side. */
const anyPose = fc
  .tuple(
    fc.tuple(between(-0.06, 0.06), between(-0.06, 0.06), between(-0.07, 0.06)),
    fc.record({ roll: between(-1, 1), pitch: between(-1, 1), yaw: between(-1.5, 1.5) }),
  )
  .map(([position, rpy]) => poseFromRpy(position, rpy));
const anyYaw = between(-2.79, 2.79);
/** Reachable, with body yaw, in the world frame, often at the edge of the workspace. */
const reachable = fc
  .tuple(anyPose, anyYaw)
  .map(([pose, bodyYaw]) => ({ bodyYaw, ...nearestReachable(rotatedByYaw(pose, bodyYaw), bodyYaw) }));

describe("inverse kinematics", () => {
  test("gives all six arms the same angle for the neutral head", () => {
    const alike = [1, -1, 1, -1, 1, -1].map((side) => side * 0.62654);
    for (const [index, angle] of legAngles(IDENTITY, 0).entries()) expect(angle).toBeCloseTo(alike[index]!, 5);
  });

  test.each([DEFAULT_POSE, SLEEP_POSE])("reaches the default pose and the sleep pose", ({ head, bodyYaw }) => {
    expect(inverseKinematics(head, bodyYaw).status).toBe("reachable");
  });

  test("turns the body under a head that keeps its pose", () => {
    const head = poseFromRpy([0.005, -0.004, 0.01], { roll: 0.1, pitch: -0.2, yaw: 0.3 });
    expect(legAngles(head, 0.4)).toEqual(legAngles(rotatedByYaw(head, -0.4), 0));
  });

  test("names the leg and the missing length when a rod is too short", () => {
    const answer = inverseKinematics(poseFromRpy([0, 0, 0.2], { roll: 0, pitch: 0, yaw: 0 }), 0);
    expect(answer).toMatchObject({ status: "out-of-reach", joint: "stewart_1", by: expect.closeTo(0.176, 2) });
  });

  test("names the rotation that exceeds its limit", () => {
    const answer = inverseKinematics(poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: 1.2 }), 0);
    expect(answer).toMatchObject({ status: "turned-too-far", axis: "yaw", by: expect.closeTo(1.2 - 65 * DEGREE, 9) });
    expect(inverseKinematics(poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: 1.2 }), 0.6).status).toBe("reachable");
  });

  test("gives angles within every joint's range for reachable poses", () => {
    fc.assert(
      fc.property(reachable, ({ stewart }) => {
        for (const [index, angle] of stewart.entries()) {
          const [lower, upper] = JOINTS[index + 1]!.range;
          expect(angle).toBeGreaterThanOrEqual(lower - 1e-9);
          expect(angle).toBeLessThanOrEqual(upper + 1e-9);
        }
      }),
    );
  });
});

describe("forward kinematics", () => {
  test("inverts the inverse kinematics over the whole workspace, without a guess", () => {
    fc.assert(
      fc.property(reachable, ({ head, stewart, bodyYaw }) => {
        const apart = poseDistance(forwardKinematics(stewart, bodyYaw)!, head);
        expect(apart.metres).toBeLessThan(1e-6);
        expect(apart.radians).toBeLessThan(1e-6);
      }),
    );
  });

  test("finds the pose from a guess between it and any other reachable pose", () => {
    fc.assert(
      fc.property(reachable, reachable, between(0, 0.4), ({ head, stewart, bodyYaw }, other, part) => {
        const guess = interpolatePose(head, rotatedByYaw(other.head, bodyYaw - other.bodyYaw), part);
        const apart = poseDistance(forwardKinematics(stewart, bodyYaw, guess)!, head);
        expect(apart.metres).toBeLessThan(1e-6);
        expect(apart.radians).toBeLessThan(1e-6);
      }),
    );
  });

  test("gives equal joints the same posture to the last bit, whatever pose was measured before", () => {
    fc.assert(
      fc.property(reachable, reachable, ({ stewart, bodyYaw }, other) => {
        const joints = [bodyYaw, ...stewart, 0, 0];
        expect(postureOf(joints, other.head)).toEqual(postureOf(joints, IDENTITY));
      }),
    );
  });

  test("returns undefined when the rods cannot meet the platform: every other arm up, the rest down", () => {
    const stewart = JOINTS.slice(1, 7).map(({ range }) => range[0]) as unknown as SixLegs;
    expect(forwardKinematics(stewart, 0)).toBeUndefined();
  });

  /** The manufacturer's kinematics give these angles for the two poses; theirs differ by some millimetres. */
  test.each<[string, SixLegs, typeof DEFAULT_POSE]>([
    ["init", [0.5252, -0.6687, 0.6067, -0.6067, 0.6687, -0.5252], DEFAULT_POSE],
    ["sleep", [-0.9848, 1.2625, -0.2439, 0.2056, -1.2364, 1.0032], SLEEP_POSE],
  ])("agrees with the published joint angles of %s", (_name, stewart, { head }) => {
    const apart = poseDistance(forwardKinematics(stewart, 0)!, head);
    expect(apart.metres).toBeLessThan(0.01);
    expect(apart.radians).toBeLessThan(7 * DEGREE);
  });
});

describe("platform condition", () => {
  test("is positive in the workspace and negative for a flipped platform", () => {
    const stewart = legAngles(IDENTITY, 0);
    expect(platformCondition(IDENTITY, stewart)).toBeGreaterThan(0.5);
    const flipped = poseFromRpy([0, 0, -2 * (0.177 - 0.0766)], { roll: Math.PI, pitch: 0, yaw: 0 });
    expect(platformCondition(flipped, stewart)).toBeLessThan(0);
  });
});

describe("the nearest reachable pose", () => {
  test("is the requested pose when that is reachable", () => {
    fc.assert(
      fc.property(reachable, ({ head, bodyYaw }) => {
        fc.pre(inverseKinematics(head, bodyYaw).status === "reachable");
        expect(nearestReachable(head, bodyYaw).head).toBe(head);
      }),
    );
  });

  test("is reachable for every requested pose, and at most as far from it as the neutral head", () => {
    const far = fc
      .tuple(
        fc.tuple(between(-5, 5), between(-5, 5), between(-5, 5)),
        fc.record({ roll: between(-4, 4), pitch: between(-4, 4), yaw: between(-4, 4) }),
      )
      .map(([position, rpy]) => poseFromRpy(position, rpy));
    fc.assert(
      fc.property(fc.oneof(anyPose, far), anyYaw, (head, bodyYaw) => {
        const near = nearestReachable(head, bodyYaw);
        const trunk = rotatedByYaw(near.head, -bodyYaw);
        expect(poseDistance(forwardKinematics(near.stewart, bodyYaw)!, near.head).metres).toBeLessThan(1e-6);
        expect(poseDistance(near.head, head).metres).toBeLessThanOrEqual(poseDistance(IDENTITY, head).metres + 1e-9);
        const { roll, pitch, yaw } = rpyOf(trunk);
        expect(Math.max(Math.abs(roll), Math.abs(pitch))).toBeLessThanOrEqual(40 * DEGREE + 1e-9);
        expect(Math.abs(yaw)).toBeLessThanOrEqual(65 * DEGREE + 1e-9);
      }),
    );
  });

  test("has no coordinate that could move closer to its target alone", () => {
    fc.assert(
      fc.property(between(0.03, 0.2), between(-0.6, 0.6), (z, yaw) => {
        const near = nearestReachable(poseFromRpy([0, 0, z], { roll: 0, pitch: 0, yaw }), 0).head;
        const higher = interpolatePose(near, poseFromRpy([near[3], near[7], near[11] + 1e-3], rpyOf(near)), 1);
        expect(inverseKinematics(higher, 0).status).not.toBe("reachable");
      }),
    );
  });
});
