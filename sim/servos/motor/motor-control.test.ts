import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { StatusError } from "../../../robot/servo/protocol/packet.ts";
import * as make from "../../../robot/servo/protocol/testing/instructions.ts";
import { radiansToTicks, ticksToRadians } from "../../../robot/servo/registers/units.ts";
import { benchWithJoint, DEAD_BAND, SERVO_ID, type SingleJoint } from "../testing/test-bench.ts";

/** Radians: the largest overshoot of a goal after a large step, with only the motor to brake. */
const OVERSHOOT = 0.12;
/** Radians: a limit in whole ticks may be this far beyond the limit in degrees. */
const TICK = ticksToRadians(1) - ticksToRadians(0);

/** A joint is at an angle, but for what dry friction holds back. */
function expectAt(joint: SingleJoint, radians: number): void {
  expect(Math.abs(joint.position() - radians)).toBeLessThan(DEAD_BAND);
}

describe("position", () => {
  test("with torque on the joint moves to its goal", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", radiansToTicks(0.5));
    b.run(1);
    expectAt(joint, 0.5);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(radiansToTicks(joint.position()));
    expect([b.read(SERVO_ID, "moving"), (b.read(SERVO_ID, "movingStatus") ?? 0) & 1]).toEqual([0, 1]);
  });

  test("a movement that ends because torque is switched off is over", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "profileVelocity", 50);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", radiansToTicks(0.5));
    b.run(0.2);
    expect([b.read(SERVO_ID, "moving"), b.read(SERVO_ID, "movingStatus")]).toEqual([1, 2]);
    b.write(SERVO_ID, "torqueEnable", 0);
    b.run(1);
    expect([
      b.read(SERVO_ID, "moving"),
      b.read(SERVO_ID, "movingStatus"),
      b.read(SERVO_ID, "velocityTrajectory"),
    ]).toEqual([0, 0, 0]);
    expect(b.read(SERVO_ID, "positionTrajectory")).toBe(b.read(SERVO_ID, "presentPosition"));
    expect(b.send(make.clearTurns(SERVO_ID))).toMatchObject([{ error: 0 }]);
  });

  test("an earlier goal moves the joint when torque is switched on, so the master must set the goal first", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "goalPosition", 2048);
    joint.turnTo(0.4);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.run(1);
    expectAt(joint, 0);
  });

  test("goals outside the position limits are refused and change nothing", () => {
    const { bench: b } = benchWithJoint();
    const [least, most] = JOINTS[1].rawRange;
    expect(b.write(SERVO_ID, "goalPosition", least - 1)).toBe(StatusError.dataLimit);
    expect(b.write(SERVO_ID, "goalPosition", most + 1)).toBe(StatusError.dataLimit);
    expect(b.read(SERVO_ID, "goalPosition")).toBe(2048);
    expect(b.write(SERVO_ID, "goalPosition", most)).toBe(0);
  });

  test("no sequence of goals drives the joint out of its limits", () => {
    const goals = fc.array(fc.tuple(fc.integer({ min: -5000, max: 9000 }), fc.integer({ min: 1, max: 300 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(goals, (list) => {
        const { bench: b, joint } = benchWithJoint();
        b.write(SERVO_ID, "torqueEnable", 1);
        for (const [goal, milliseconds] of list) {
          b.write(SERVO_ID, "goalPosition", goal);
          for (let i = 0; i < milliseconds; i += 20) {
            b.run(0.02);
            const target = ticksToRadians(b.read(SERVO_ID, "positionTrajectory") ?? Number.NaN);
            expect(target).toBeGreaterThanOrEqual(JOINTS[1].range[0] - TICK);
            expect(target).toBeLessThanOrEqual(JOINTS[1].range[1] + TICK);
            expect(joint.position()).toBeGreaterThan(JOINTS[1].range[0] - OVERSHOOT);
            expect(joint.position()).toBeLessThan(JOINTS[1].range[1] + OVERSHOOT);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  /** Radians of deflection under a load in N m that was larger before, so that friction holds less of it. */
  function deflection(load: number, gains: Partial<Record<"positionPGain" | "positionIGain", number>> = {}): number {
    const { bench: b, joint } = benchWithJoint();
    for (const [name, value] of Object.entries(gains)) b.write(SERVO_ID, name as keyof typeof gains, value);
    b.write(SERVO_ID, "torqueEnable", 1);
    joint.load = load;
    b.run(2);
    return joint.position();
  }

  test("the stiffness is that of the identified gain: 0.5 N m/rad at P 300, and proportional to P", () => {
    // The difference of two loads leaves friction out: 0.1 N m less what the loaded gears hold (a fifth).
    const stiffness = (positionPGain: number) =>
      0.1 / (deflection(0.3, { positionPGain }) - deflection(0.2, { positionPGain }));
    expect(stiffness(300)).toBeGreaterThan(0.6);
    expect(stiffness(300)).toBeLessThan(0.95);
    expect(stiffness(600) / stiffness(300)).toBeCloseTo(2, 0);
  });

  test("a motor that holds a load does not swing between two ticks of the encoder", () => {
    for (let step = 0; step < 20; step += 1) {
      const { bench: b, joint } = benchWithJoint();
      b.write(SERVO_ID, "torqueEnable", 1);
      joint.load = 0.05 + 1e-4 * step;
      b.run(1);
      const { driven } = joint;
      b.run(0.2);
      expect(joint.driven, `at ${joint.load} N m`).toBe(driven);
    }
  });

  test("an integral gain removes the deflection", () => {
    expect(deflection(0.1)).toBeGreaterThan(0.04);
    expect(Math.abs(deflection(0.1, { positionIGain: 400 }))).toBeLessThan(0.02);
  });

  test("profile velocity and acceleration limit the motion", () => {
    const { bench: b } = benchWithJoint();
    const seen: number[] = [];
    b.write(SERVO_ID, "profileVelocity", 20); // 0.48 rad/s
    b.write(SERVO_ID, "profileAcceleration", 5);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", radiansToTicks(0.6));
    for (let i = 0; i < 100; i++) {
      b.run(0.02);
      seen.push(b.read(SERVO_ID, "presentVelocity") ?? 0);
    }
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(19);
    expect(Math.max(...seen)).toBeLessThanOrEqual(22);
    expect(seen[2]).toBeLessThan(10);
    expect(Math.abs((b.read(SERVO_ID, "presentPosition") ?? 0) - radiansToTicks(0.6))).toBeLessThan(DEAD_BAND / TICK);
    expect(b.read(SERVO_ID, "velocityTrajectory")).toBe(0);
  });

  test("the homing offset shifts the position register, not the joint", () => {
    const { bench: b, joint } = benchWithJoint();
    expect(b.write(SERVO_ID, "homingOffset", 0)).toBe(0);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(2048 - 1024);
    expect(joint.position()).toBe(0);
    b.write(SERVO_ID, "minPositionLimit", 0);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", 1024 + 100);
    b.run(1);
    expectAt(joint, ticksToRadians(2148));
  });
});

describe("current and PWM limits", () => {
  /** Current and PWM of a blocked joint with a distant goal, in register units. */
  function measured(limit: "currentLimit" | "pwmLimit" | "goalPwm", value: number, mode = 3): [number, number] {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "operatingMode", mode);
    expect(b.write(SERVO_ID, limit, value)).toBe(0);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", 2900);
    joint.blocked = true;
    b.run(0.1);
    return [b.read(SERVO_ID, "presentCurrent") ?? 0, b.read(SERVO_ID, "presentPwm") ?? 0];
  }

  test.each([3, 5])("the current limit holds in mode %i", (mode) => {
    expect(measured("currentLimit", 1750, mode)[0]).toBeGreaterThan(1700);
    expect(measured("currentLimit", 300, mode)[0]).toBeCloseTo(300, -1);
  });

  test.each(["pwmLimit", "goalPwm"] as const)("%s holds", (limit) => {
    expect(measured(limit, 200)[1]).toBeCloseTo(200, -1);
  });
});
