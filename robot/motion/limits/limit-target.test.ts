import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SixLegs } from "../../description/frames.ts";
import { JOINTS } from "../../description/joints.ts";
import { MAX_HEAD_BODY_YAW } from "../../description/limits.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "../../description/poses.ts";
import { forwardKinematics } from "../../kinematics/forward.ts";
import { legAngles } from "../../kinematics/inverse.ts";
import { platformCondition } from "../../kinematics/jacobian.ts";
import { IDENTITY, poseDistance, poseFromRpy, rotatedByYaw, rpyOf } from "../../kinematics/pose.ts";
import { WorkbenchError } from "../../wire/errors.ts";
import { describeClip } from "./clip.ts";
import { initialState, type LimiterState, limitTarget } from "./limit-target.ts";
import type { MotionTarget } from "./motion-target.ts";

const TICK = 0.01;
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const noRpy = { roll: 0, pitch: 0, yaw: 0 };
const atInit = initialState([0, ...legAngles(IDENTITY, 0), ...DEFAULT_POSE.antennas]);
const targetWith = (part: Partial<MotionTarget>): MotionTarget => ({
  ...DEFAULT_POSE,
  automaticBodyYaw: false,
  ...part,
});

/** From ordinary targets to nonsense: any position, any rotation. */
const anyTarget = fc.record({
  head: fc.oneof(
    fc
      .tuple(
        fc.tuple(between(-0.03, 0.03), between(-0.03, 0.03), between(-0.05, 0.02)),
        fc.record({ roll: between(-0.6, 0.6), pitch: between(-0.6, 0.6), yaw: between(-3, 3) }),
      )
      .map(([position, rpy]) => poseFromRpy(position, rpy)),
    fc
      .tuple(
        fc.tuple(between(-1e3, 1e3), between(-1e3, 1e3), between(-1e3, 1e3)),
        fc.record({ roll: between(-9, 9), pitch: between(-9, 9), yaw: between(-9, 9) }),
      )
      .map(([position, rpy]) => poseFromRpy(position, rpy)),
  ),
  antennas: fc.tuple(between(-9, 9), between(-9, 9)),
  bodyYaw: fc.option(between(-9, 9)),
  automaticBodyYaw: fc.boolean(),
});
/** Each target held for some ticks: long enough to gain speed, seldom long enough to arrive. */
const anySequence = fc.array(fc.tuple(anyTarget, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 4 });

/** On the way, a leg brakes to the end of its range. */
const toEndOfRange = {
  head: poseFromRpy([0.03, 0, 0], { roll: 0, pitch: 0, yaw: 3 }),
  antennas: [0, 0] as [number, number],
  bodyYaw: null,
  automaticBodyYaw: true,
};

/** For one leg beyond its range by less than a nanoradian. */
const atEndOfRange = {
  head: poseFromRpy([-0.0015029975461594443, 0.03, -0.05], noRpy),
  antennas: [0, 0] as [number, number],
  bodyYaw: 0,
  automaticBodyYaw: false,
};

function expectInsideLimits(before: LimiterState, after: LimiterState, dt: number) {
  for (const [index, { range, maxVelocity, maxAcceleration }] of JOINTS.entries()) {
    const velocity = (after.joints[index]! - before.joints[index]!) / dt;
    expect(after.joints[index]).toBeGreaterThanOrEqual(range[0]);
    expect(after.joints[index]).toBeLessThanOrEqual(range[1]);
    expect(Math.abs(velocity)).toBeLessThanOrEqual(maxVelocity * 1.000001);
    expect(Math.abs(velocity - before.velocities[index]!)).toBeLessThanOrEqual(maxAcceleration * dt * 1.000001);
  }
}

function expectReachableHead({ joints, head }: LimiterState) {
  const stewart = joints.slice(1, 7) as unknown as SixLegs;
  const trunk = rotatedByYaw(head, -joints[0]!);
  expect(poseDistance(forwardKinematics(stewart, joints[0]!, head)!, head).metres).toBeLessThan(1e-7);
  expect(platformCondition(trunk, stewart)).toBeGreaterThan(0.08);
  expect(Math.abs(rpyOf(trunk).yaw)).toBeLessThan(MAX_HEAD_BODY_YAW + 0.02);
}

/** The state after one target was held for some seconds. */
function settle(state: LimiterState, target: MotionTarget, seconds: number): LimiterState {
  let current = state;
  for (let t = 0; t < seconds; t += TICK) current = limitTarget(target, current, TICK).state;
  return current;
}

describe("for any sequence of targets", () => {
  test("no joint exceeds its range, velocity or acceleration, and the head stays in the workspace", () => {
    fc.assert(
      fc.property(anySequence, (sequence) => {
        let state = atInit;
        for (const [target, ticks] of sequence) {
          for (let tick = 0; tick < ticks; tick++) {
            const { state: next } = limitTarget(target, state, TICK);
            expectInsideLimits(state, next, TICK);
            expectReachableHead(next);
            expect(next.insideWorkspace).toBe(true);
            state = next;
          }
        }
      }),
      { examples: [[[[toEndOfRange, 20]]]] },
    );
  });

  test("range, velocity and workspace hold also with uneven and late ticks", () => {
    const dts = fc.array(between(0.001, 0.5), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(anySequence, dts, (sequence, times) => {
        let state = atInit;
        for (const [target, ticks] of sequence) {
          for (const dt of times.slice(0, ticks)) {
            const { state: next } = limitTarget(target, state, dt);
            for (const [index, { range, maxVelocity }] of JOINTS.entries()) {
              const moved = Math.abs(next.joints[index]! - state.joints[index]!);
              expect(next.joints[index]).toBeGreaterThanOrEqual(range[0]);
              expect(next.joints[index]).toBeLessThanOrEqual(range[1]);
              expect(moved).toBeLessThanOrEqual(maxVelocity * Math.min(dt, 0.02) * 1.000001);
            }
            expectReachableHead(next);
            state = next;
          }
        }
      }),
    );
  });

  test("the robot reaches its aim and stops", () => {
    fc.assert(
      fc.property(anySequence, anyTarget, (sequence, last) => {
        let state = atInit;
        for (const [target, ticks] of sequence) state = settle(state, target, ticks * TICK);
        const end = settle(state, { ...last, automaticBodyYaw: false }, 4);
        for (const [index, angle] of end.joints.entries()) expect(angle).toBeCloseTo(end.aims[index]!, 9);
        expect(Math.max(...end.velocities.map(Math.abs))).toBeLessThan(1e-6);
      }),
      { numRuns: 15, examples: [[[], atEndOfRange]] },
    );
  });

  test("joints that start anywhere are led into the workspace within their limits", () => {
    const measured = fc.tuple(...JOINTS.map(({ range }) => between(range[0] - 0.3, range[1] + 0.3)));
    fc.assert(
      fc.property(measured, (joints) => {
        let state = initialState(joints);
        for (let tick = 0; tick < 200; tick++) {
          const next = limitTarget(targetWith({}), state, TICK).state;
          expectInsideLimits(state, next, TICK);
          state = next;
        }
        expect(state.insideWorkspace).toBe(true);
        expect(poseDistance(state.head, DEFAULT_POSE.head).metres).toBeLessThan(1e-6);
      }),
      { numRuns: 12 },
    );
  });
});

describe("a target that can be reached", () => {
  test("is followed exactly while it moves smoothly, without a clip", () => {
    let state = atInit;
    for (let t = TICK; t < 3; t += TICK) {
      const rise = Math.min(1, t);
      const wave = rise * rise * (3 - 2 * rise) * Math.sin(2 * Math.PI * 0.8 * t);
      const head = poseFromRpy([0, 0.01 * wave, -0.01], { roll: 0.2 * wave, pitch: 0, yaw: 0.5 * wave });
      const start = Math.min(1, t / 0.5);
      const target = targetWith({
        head: poseFromRpy([0, head[7], -0.01 * start], rpyOf(head)),
        antennas: [wave, -wave],
      });
      const { state: next, clipped } = limitTarget(target, state, TICK);
      if (t > 0.2) expect(clipped).toEqual([]);
      if (t > 0.2) expect(poseDistance(next.head, target.head as never).metres).toBeLessThan(1e-9);
      state = next;
    }
  });

  test("that jumps is followed within the rates, with a clip", () => {
    const { state, clipped } = limitTarget(targetWith({ antennas: [1, 0.1745] }), atInit, TICK);
    expect(clipped).toEqual([{ reason: "rate", joint: "right_antenna", behind: expect.any(Number) }]);
    expect(state.joints[7]).toBeCloseTo(-0.1745 + 300 * TICK * TICK, 9);
  });

  test("is reached without overshooting", () => {
    let [state, highest] = [atInit, -Infinity];
    for (let tick = 0; tick < 200; tick++) {
      state = limitTarget(targetWith({ antennas: [1.5, 0], bodyYaw: 1 }), state, TICK).state;
      highest = Math.max(highest, state.joints[7]! - 1.5, state.joints[0]! - 1);
    }
    expect(highest).toBeLessThanOrEqual(0);
  });
});

describe("a clip describes", () => {
  const clipsOf = (part: Partial<MotionTarget>) =>
    limitTarget(targetWith(part), settle(atInit, targetWith(part), 4), TICK).clipped;

  test("a joint beyond its range", () => {
    expect(clipsOf({ antennas: [4, 0] }).map(describeClip)).toEqual([
      "right_antenna was asked for 229.2 degrees and goes to its limit at 179.9 degrees.",
    ]);
    expect(clipsOf({ bodyYaw: -3, head: rotatedByYaw(IDENTITY, -2.7) })[0]).toMatchObject({
      joint: "body_yaw",
      requested: -3,
    });
  });

  test("a head that is turned too far from the body", () => {
    const clipped = clipsOf({ head: poseFromRpy([0, 0, 0], { ...noRpy, yaw: 2 }), bodyYaw: 0 });
    expect(clipped).toMatchObject([{ reason: "reach", problem: { status: "turned-too-far", axis: "yaw" } }]);
    expect(describeClip(clipped[0]!)).toMatch(/^The head cannot reach the pose \(its yaw is 49.6 degrees beyond/);
  });

  test("a head that is too high, with the leg and the distance", () => {
    const clipped = clipsOf({ head: poseFromRpy([0, 0, 0.06], noRpy) });
    expect(clipped.map(describeClip)).toEqual([
      expect.stringMatching(/the rod of stewart_1 is 35.* mm too short.*pose 4.* mm/),
    ]);
  });

  test("nothing for the default pose and the sleep pose", () => {
    expect(clipsOf(DEFAULT_POSE)).toEqual([]);
    expect(clipsOf(SLEEP_POSE)).toEqual([]);
  });
});

describe("the body yaw", () => {
  const looking = (yaw: number) => poseFromRpy([0, 0, 0], { ...noRpy, yaw });

  test("follows a head that turns far to the side in automatic mode", () => {
    const state = settle(atInit, targetWith({ head: looking(1.5), bodyYaw: null, automaticBodyYaw: true }), 4);
    expect(state.joints[0]).toBeCloseTo(1.5 - (40 * Math.PI) / 180, 6);
    expect(rpyOf(state.head).yaw).toBeCloseTo(1.5, 6);
  });

  test("stays for a small turn, and for every turn without automatic mode", () => {
    const small = settle(atInit, targetWith({ head: looking(0.5), bodyYaw: null, automaticBodyYaw: true }), 2);
    expect(small.joints[0]).toBe(0);
    const still = settle(atInit, targetWith({ head: looking(1.5), bodyYaw: null, automaticBodyYaw: false }), 2);
    expect(still.joints[0]).toBe(0);
  });

  test("turns under a head that keeps its pose in the world", () => {
    let state = atInit;
    for (let tick = 0; tick < 100; tick++) {
      state = limitTarget(targetWith({ bodyYaw: 0.8 }), state, TICK).state;
      expect(poseDistance(state.head, IDENTITY).radians).toBeLessThan(0.05);
    }
    expect(state.joints[0]).toBeCloseTo(0.8, 9);
  });
});

describe("an invalid target is refused with its field", () => {
  test.each<[string, Partial<MotionTarget>, RegExp]>([
    ["NaN", { head: IDENTITY.with(3, Number.NaN) }, /^head\[3\] is NaN; send a finite number/],
    ["infinity", { antennas: [0, Number.POSITIVE_INFINITY] }, /^antennas\[1\] is Infinity/],
    ["a NaN body yaw", { bodyYaw: Number.NaN }, /^body_yaw is NaN; send a finite number/],
    ["a short matrix", { head: [1, 2, 3] }, /^head has 3 numbers; send 16/],
    ["a matrix of zeros", { head: IDENTITY.map(() => 0) }, /stretches by 1.000/],
    ["a skewed matrix", { head: IDENTITY.with(1, 0.1) }, /is skewed by 0.100/],
    ["a mirrored matrix", { head: IDENTITY.with(0, -1) }, /is mirrored/],
    ["a projective matrix", { head: IDENTITY.with(12, 1) }, /last row is 1, 0, 0, 1 instead of 0, 0, 0, 1/],
    [
      "a column-major translation",
      { head: IDENTITY.with(14, 0.01) },
      /last row is 0, 0, 0.01, 1 instead of 0, 0, 0, 1/,
    ],
  ])("%s", (_name, part, message) => {
    const refused = () => limitTarget(targetWith(part), atInit, TICK);
    expect(refused).toThrow(WorkbenchError);
    expect(refused).toThrow(message);
  });
});
