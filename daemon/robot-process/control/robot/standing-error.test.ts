import { beforeEach, describe, expect, test } from "vitest";
import { DEGREE } from "../../../../common/degree.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../../robot/description/poses.ts";
import { stiffnessOf } from "../../../../robot/servo/registers/models.ts";
import { parseFault } from "../../../../sim/faults/parse-fault.ts";
import { Harness, type PhysicalHarness } from "../testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "../testing/head-error.ts";
import {
  expectHeadAtTargets,
  expectNoOscillation,
  goalsOf,
  HEAD_TARGETS,
  moveHead,
  tiltedHead,
  withDivisor,
} from "../testing/standing-head.ts";
import { type JointReadings, StandingError } from "./standing-error.ts";

const LEG = 1;

describe("learning", () => {
  const stiffness = JOINTS.map(stiffnessOf);
  let standing: StandingError;
  /** All joints are 0.05 rad below the wanted angles. */
  const sagging: JointReadings = {
    wanted: JOINTS.map(() => 0.3),
    position: JOINTS.map(() => 0.25),
    velocity: JOINTS.map(() => 0),
    current: JOINTS.map(() => 0.1),
    isHeld: () => true,
  };
  const run = (seconds: number, at: (second: number) => Partial<JointReadings>, mayLearn = () => true) => {
    for (let time = 0; time < seconds; time += 0.02) standing.advance(0.02, { ...sagging, ...at(time) }, mayLearn);
    return [...standing.learned];
  };
  const only = (joint: number, value: number, others: number) =>
    JOINTS.map((_, index) => (index === joint ? value : others));

  beforeEach(() => {
    standing = new StandingError(stiffness);
  });

  test("a robot that stands learns towards the wanted angle, slowly and no more than a bounded torque", () => {
    const [leg] = run(0.5, () => ({})).slice(LEG);
    expect(leg).toBeGreaterThan(0.01);
    expect(leg).toBeLessThan(0.04);
    // It turns a little all the time, so that nothing counts as blocked.
    const most = run(8, (time) => ({ position: JOINTS.map(() => 0.25 + 0.003 * (Math.floor(4 * time) % 2)) }));
    expect(Math.max(...most.map((learned, joint) => learned * (stiffness[joint] ?? 0)))).toBeCloseTo(0.05, 9);
    expect(Math.max(...most)).toBeCloseTo(0.15, 9);
  });

  test("a joint that sticks and slips about its target is left as it is, until the next motion", () => {
    const slips = (time: number) => ({ position: JOINTS.map(() => 0.3 + (Math.floor(4 * time) % 2 ? 0.02 : -0.02)) });
    const left = run(3, slips);
    expect(run(3, slips)).toEqual(left);
    run(0.5, (time) => ({ wanted: JOINTS.map(() => 0.4 + 0.01 * time) }));
    expect(run(1, () => ({}))[LEG]).toBeGreaterThan(0.01);
  });

  test.each<[string, (second: number) => Partial<JointReadings>, (() => boolean)?]>([
    ["moves", (time) => ({ wanted: JOINTS.map(() => 0.3 + 0.01 * time) })],
    ["swings", () => ({ velocity: only(LEG, 0.2, 0) })],
    ["is overloaded", () => ({ current: only(LEG, -0.95, 0.1) })],
    ["has a joint without torque, or that does not answer", () => ({ isHeld: (joint) => joint !== LEG })],
    ["is far from its target", () => ({ position: JOINTS.map(() => 0.1) })],
    ["is not firm", () => ({}), () => false],
  ])("a robot that %s does not learn", (_, at, mayLearn) => {
    expect(run(10, at, mayLearn).every((learned) => learned === 0)).toBe(true);
  });

  test("a joint that does not turn is blocked: what it has learned goes, and it learns no more", () => {
    expect(run(20, () => ({}))[LEG]).toBe(0);
  });

  test("a push is not learned, and learning goes on where it was after it", () => {
    const before = run(0.4, () => ({}));
    expect(run(3, () => ({ position: JOINTS.map(() => 0.21) }))).toEqual(before);
    expect(run(0.2, () => ({}))[LEG]).toBeGreaterThan(before[LEG] ?? 0);
  });

  test("motion and reset end what was learned for a place", () => {
    const before = run(0.5, () => ({}))[LEG] ?? 0;
    expect(run(2, (time) => ({ wanted: JOINTS.map(() => 0.3 + 0.01 * time) }))[LEG]).toBeLessThan(0.01 * before);
    run(0.5, () => ({}));
    standing.reset();
    expect([...standing.learned]).toEqual(JOINTS.map(() => 0));
  });
});

// At other supplies and for the other divisor: standing-head.integration.test.ts.
describe("the head of a robot that stands", () => {
  test("is within 1 degree and 1 mm of its target", () => expectHeadAtTargets(256, 7));

  test("does not oscillate: goals and joints stay as they are", () => expectNoOscillation(256));

  test("after some targets it is nearly right at once, also with the divisor that the daemon does not expect", async () => {
    const harness = await Harness.awakeInPhysics(7, withDivisor(128));
    for (const head of HEAD_TARGETS) {
      await moveHead(harness, head);
      await harness.run(STANDING_MS);
    }
    const [, head] = HEAD_TARGETS;
    await moveHead(harness, tiltedHead(0, 20, 0));
    await moveHead(harness, head);
    await harness.run(100);
    expect(headError(harness, head).degrees).toBeLessThan(2.5);
  });
});

describe("disturbances", () => {
  let harness: PhysicalHarness;
  /** Leans on the head for some seconds; a push lasts 10 s at most. */
  const lean = async (newtons: number, seconds: number) => {
    for (let left = seconds; left > 0; left -= 5) {
      harness.link.robot.physics.push("hand", { body: "head", force: [0, 0, -newtons] }, Math.min(5.1, left));
      await harness.run(1000 * Math.min(5, left) - 100);
      if (left > 5) await harness.run(100);
    }
  };
  const isBack = () => {
    expect(headError(harness, DEFAULT_POSE.head).degrees).toBeLessThan(AT_REST.degrees);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(AT_REST.mm);
  };

  beforeEach(async () => {
    harness = await Harness.awakeInPhysics();
    await harness.run(STANDING_MS);
  });

  test("a hand that leans on the head for 3 s changes no goal", async () => {
    const goals = goalsOf(harness);
    await lean(6, 3);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeGreaterThan(3);
    expect(goalsOf(harness)).toEqual(goals);
    await harness.run(STANDING_MS);
    isBack();
  });

  test("a hand that stays is carried up to a bound, and forgotten when it goes", async () => {
    await lean(6, 30);
    const carried = harness.link.robot.servos.servos.map((servo) => Math.abs(servo.load));
    expect(Math.max(...carried)).toBeLessThan(0.8);
    await harness.run(3 * STANDING_MS);
    isBack();
  });

  test("a payload is carried at the next target, and its removal is learned", async () => {
    const head = tiltedHead(0, 10, 20);
    harness.link.robot.physics.push("hand", { body: "head", force: [0, 0, -0.8] }, 2);
    await moveHead(harness, head);
    await lean(0.8, 2 * (STANDING_MS / 1000));
    expect(headError(harness, head).degrees).toBeLessThan(AT_REST.degrees);
    await harness.run(200);
    await moveHead(harness, DEFAULT_POSE.head);
    await harness.run(2 * STANDING_MS);
    isBack();
  });

  test("a blocked joint is not pushed any further, and is right again when it is free", async () => {
    harness.link.robot.addFault(parseFault("stuck:servo=stewart_3,for=25"));
    const head = tiltedHead(0, 0, 0, -0.008);
    await moveHead(harness, head);
    await harness.run(4 * STANDING_MS);
    const [, , , goal] = goalsOf(harness);
    await harness.run(2000);
    expect(goalsOf(harness)[3]).toBe(goal);
    expect(harness.robot.state.error).toBeNull();
    await harness.run(2 * STANDING_MS);
    await moveHead(harness, DEFAULT_POSE.head);
    await harness.run(STANDING_MS);
    isBack();
  });

  test("torque that was off and is on again begins without what was learned, and without a jump", async () => {
    await harness.settle(harness.robot.setMotorMode("disabled"));
    await harness.run(3000);
    const before = harness.link.robot.physics.posture().joints;
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.run(300);
    harness.link.robot.physics.posture().joints.forEach((angle, joint) => {
      expect(Math.abs(angle - (before[joint] ?? 0))).toBeLessThan(3 * DEGREE);
    });
    await harness.settle(harness.robot.wakeUp());
    await harness.run(STANDING_MS);
    isBack();
  });
});
