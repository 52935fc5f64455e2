import { describe, expect, test } from "vitest";
import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import { radiansToTicks } from "../../../robot/servo/registers/units.ts";
import type { Servo } from "../servo.ts";
import { DEAD_BAND, type SingleJoint, STIFFNESS, TestBench } from "../testing/test-bench.ts";

const ID = 11;
function setUp(): { bench: TestBench; servo: Servo; joint: SingleJoint } {
  const bench = new TestBench();
  const [, servo] = bench.bus.servos;
  const [, joint] = bench.joints;
  if (servo === undefined || joint === undefined) throw new Error("no second servo");
  bench.write(ID, "torqueEnable", 1);
  return { bench, servo, joint };
}

describe("a worn gearbox", () => {
  test("stuck: the joint does not move, current rises until overload; without the fault it moves again", () => {
    const { bench, servo, joint } = setUp();
    bench.run(0.1);
    servo.setFaultState({ stuck: true });
    bench.write(ID, "goalPosition", radiansToTicks(1.2));
    bench.run(1);
    expect(Math.abs(joint.position())).toBeLessThan(0.01);
    expect(bench.read(ID, "presentCurrent")).toBeGreaterThan(1500);
    bench.run(1.5);
    expect(bench.read(ID, "hardwareErrorStatus")).toBe(HardwareError.overload);
    expect(bench.read(ID, "presentCurrent")).toBe(0);
    servo.setFaultState({});
    joint.load = 0.05;
    bench.run(0.5);
    expect(joint.position()).toBeGreaterThan(0.5);
  });

  test("friction: a small position error remains, and an unpowered joint holds a load below the friction torque", () => {
    const { bench, servo, joint } = setUp();
    servo.setFaultState({ friction: 0.1 });
    bench.write(ID, "goalPosition", radiansToTicks(0.5));
    bench.run(2);
    const error = 0.5 - joint.position();
    expect(error).toBeGreaterThan(0);
    expect(error).toBeLessThanOrEqual(0.1 / STIFFNESS + DEAD_BAND);
    bench.write(ID, "torqueEnable", 0);
    joint.load = -0.05;
    bench.run(0.3);
    expect(0.5 - joint.position()).toBeCloseTo(error, 1);
    joint.load = -0.2;
    bench.run(0.3);
    expect(joint.position()).toBeLessThan(0.3);
  });

  test("cogging: slow motion has velocity ripples, and none without the fault", () => {
    const spread = (cogging: number): number => {
      const { bench, servo } = setUp();
      servo.setFaultState({ cogging });
      bench.write(ID, "profileVelocity", 10);
      bench.write(ID, "goalPosition", radiansToTicks(1));
      bench.run(0.5);
      const speeds = Array.from({ length: 100 }, () => {
        bench.run(0.01);
        return bench.read(ID, "presentVelocity") ?? 0;
      });
      return Math.max(...speeds) - Math.min(...speeds);
    };
    expect(spread(0)).toBeLessThanOrEqual(1);
    expect(spread(0.05)).toBeGreaterThan(3);
  });
});
