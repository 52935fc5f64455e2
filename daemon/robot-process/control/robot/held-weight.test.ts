import { beforeEach, describe, expect, test } from "vitest";
import { DEGREE } from "../../../../common/degree.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../../robot/description/poses.ts";
import { gravityTorques } from "../../../../robot/kinematics/gravity.ts";
import { poseFromRpy } from "../../../../robot/kinematics/pose.ts";
import { initialState, type LimiterState, limitTarget } from "../../../../robot/motion/limits/limit-target.ts";
import { Harness } from "../testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "../testing/head-error.ts";
import { HeldWeight } from "./held-weight.ts";

/** The limiter's state at a target, after enough ticks to get there. */
function stateAt(head: LimiterState["head"]): LimiterState {
  let state = initialState(JOINTS.map(() => 0));
  for (let tick = 0; tick < 300; tick += 1) {
    state = limitTarget({ ...DEFAULT_POSE, head, automaticBodyYaw: false }, state, 0.01).state;
  }
  return state;
}

describe("leads of the goals", () => {
  let weight: HeldWeight;
  const leadsAfter = (calls: number, state: LimiterState): number[] => {
    for (let call = 1; call < calls; call += 1) weight.leadsFor(state);
    return [...weight.leadsFor(state)];
  };

  beforeEach(() => {
    weight = new HeldWeight();
  });

  test("are the gravity torques by the servos' stiffness: 0.52 N m/rad of a leg, 0.13 of an antenna", () => {
    const state = stateAt(poseFromRpy([0, 0, 0], { roll: 0.2, pitch: 0.1, yaw: 0.3 }));
    const torques = gravityTorques(state.joints, state.head);
    const leads = leadsAfter(10, state);
    expect(leads[0]).toBe(0);
    for (const leg of [1, 2, 3, 4, 5, 6]) expect((torques[leg] ?? 0) / (leads[leg] ?? 0)).toBeCloseTo(0.518, 2);
    for (const antenna of [7, 8]) expect((torques[antenna] ?? 0) / (leads[antenna] ?? 0)).toBeCloseTo(0.131, 2);
  });

  test("are the smaller the more volts the servos have", () => {
    const state = stateAt(poseFromRpy([0, 0, 0], { roll: 0.2, pitch: 0.1, yaw: 0.3 }));
    const rated = leadsAfter(10, state);
    weight = new HeldWeight(7.5);
    leadsAfter(10, state).forEach((lead, joint) => {
      expect(lead).toBeCloseTo((rated[joint] ?? 0) / 1.25, 9);
    });
  });

  test.each([
    ["sink, at most 2", 0.1, 2],
    ["are too high, at least 0.4", -0.1, 0.4],
  ])("take over a share of what is learned at each place, times the weight: joints %s", (_, error, bound) => {
    weight = new HeldWeight(12);
    const still = new Float64Array(JOINTS.length);
    const places = [0.3, 0.2].map((roll) => {
      const state = stateAt(poseFromRpy([0, 0, 0], { roll, pitch: 0.2, yaw: 0 }));
      const down = leadsAfter(1, state).map(Math.sign);
      weight = new HeldWeight(12);
      const position = Float64Array.from(state.joints, (angle, joint) => angle - error * (down[joint] ?? 0));
      return { state, position };
    });
    const scales = Array.from({ length: 40 }, (_unused, index) => {
      const { state, position } = places[index % 2] as (typeof places)[number];
      weight.leadsFor(state);
      for (let tick = 0; tick < 50; tick += 1) {
        weight.learn(0.02, state, { position, velocity: still, current: still, isHeld: () => true });
      }
      return weight.scale;
    });
    expect(Math.sign((scales[1] ?? 0) - 1)).toBe(Math.sign(error));
    expect(scales.at(-1)).toBe(bound);
  });

  test("begin within a few goals, and end when the legs are where no pose is", () => {
    const state = stateAt(poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: 40 * DEGREE }));
    const [first, last] = [leadsAfter(1, state), leadsAfter(10, state)];
    expect(Math.max(...first.map(Math.abs))).toBeCloseTo(0.03, 6);
    expect(Math.max(...last.map(Math.abs))).toBeGreaterThan(0.035);
    expect(leadsAfter(10, { ...state, insideWorkspace: false }).every((lead) => Math.abs(lead) === 0)).toBe(true);
  });
});

test("a turned head, where the legs have little leverage, is not wound further by its weight", async () => {
  const harness = await Harness.awakeInPhysics();
  const head = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: 40 * DEGREE });
  await harness.settle(harness.robot.goto({ head, duration: 1, method: "minjerk" }));
  await harness.run(STANDING_MS);
  expect(headError(harness, head).degrees).toBeLessThan(AT_REST.degrees);
});
