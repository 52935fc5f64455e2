import { describe, expect, test } from "vitest";
import { StatusError } from "../../../robot/servo/protocol/packet.ts";
import * as make from "../../../robot/servo/protocol/testing/instructions.ts";
import { radiansPerSecondToUnits, radiansToTicks } from "../../../robot/servo/registers/units.ts";
import { benchWithJoint, SERVO_ID } from "../testing/test-bench.ts";

describe("turns", () => {
  test.each([
    ["torque on", { torqueEnable: 1 }],
    ["a change to position control", { operatingMode: 5, torqueEnable: 0 }],
  ])("position control counts within one turn of the encoder: %s removes the other turns", (_, writes) => {
    const { bench: b, joint } = benchWithJoint();
    joint.turnTo(-Math.PI - 0.5);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(radiansToTicks(-Math.PI - 0.5));
    for (const [name, value] of Object.entries(writes)) b.write(SERVO_ID, name as keyof typeof writes, value);
    if ("operatingMode" in writes) b.write(SERVO_ID, "operatingMode", 3);
    // Its encoder reads 1024 less than the register, between 0 and 4095.
    expect(b.read(SERVO_ID, "presentPosition")).toBe(radiansToTicks(-Math.PI - 0.5) + 4096);
  });

  test("an offset above a quarter turn has an effect in other modes only", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "homingOffset", 1500);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(1024);
    b.write(SERVO_ID, "operatingMode", 5);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(1024 + 1500);
  });
});

describe("other operating modes", () => {
  test("a change of mode resets gains and profile, and sets the goals for PWM and current to their limits", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "currentLimit", 900);
    b.write(SERVO_ID, "profileVelocity", 20);
    b.write(SERVO_ID, "operatingMode", 3);
    expect([b.read(SERVO_ID, "positionPGain"), b.read(SERVO_ID, "profileVelocity")]).toEqual([300, 20]);
    b.write(SERVO_ID, "operatingMode", 0);
    expect([
      b.read(SERVO_ID, "positionPGain"),
      b.read(SERVO_ID, "profileVelocity"),
      b.read(SERVO_ID, "goalCurrent"),
    ]).toEqual([400, 0, 900]);
  });

  test("current control: torque is proportional to current, and the voltage limits the speed", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "operatingMode", 0);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalCurrent", -500);
    joint.blocked = true;
    b.run(0.1);
    expect(b.read(SERVO_ID, "presentCurrent")).toBeCloseTo(-500, -1);
    joint.blocked = false;
    expect(b.write(SERVO_ID, "goalCurrent", 1751)).toBe(StatusError.dataLimit);
    b.run(1);
    expect(Math.abs(joint.velocity())).toBeLessThan(13);
  });

  test("velocity control: the joint turns at the goal velocity, up to the limit", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "operatingMode", 1);
    b.write(SERVO_ID, "torqueEnable", 1);
    expect(b.write(SERVO_ID, "goalVelocity", 446)).toBe(StatusError.dataLimit);
    b.write(SERVO_ID, "goalVelocity", -50);
    b.run(0.5);
    expect(radiansPerSecondToUnits(joint.velocity())).toBeCloseTo(-50, -1);
  });

  test("current-based position control: the joint yields to a load above the current limit", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "operatingMode", 5);
    b.write(SERVO_ID, "goalCurrent", 200);
    b.write(SERVO_ID, "torqueEnable", 1);
    joint.load = 0.06;
    b.run(0.5);
    expect(joint.position()).toBeLessThan(0.06 / 0.78);
    joint.load = 0.13;
    b.run(0.5);
    expect(joint.position()).toBeGreaterThan(0.5);
  });

  test("turns are counted until they are cleared", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "operatingMode", 5);
    joint.turnTo(2 * Math.PI * 3);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(2048 + 3 * 4096);
    expect(b.send(make.clearTurns(SERVO_ID))).toMatchObject([{ error: 0 }]);
    expect(b.read(SERVO_ID, "presentPosition")).toBe(2048);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.run(0.2);
    expect(joint.position()).toBeCloseTo(2 * Math.PI * 3, 2);
    b.write(SERVO_ID, "goalPosition", 3000);
    b.run(0.05);
    expect(b.send(make.clearTurns(SERVO_ID))).toMatchObject([{ error: StatusError.resultFail }]);
  });
});

test("modes and features that are not modelled are refused", () => {
  const { bench: b } = benchWithJoint();
  for (const mode of [2, 4, 16]) expect(b.write(SERVO_ID, "operatingMode", mode)).toBe(StatusError.dataRange);
  expect(b.write(SERVO_ID, "driveMode", 1)).toBe(StatusError.dataRange);
});

test("a motor only receives commands that change", () => {
  const { bench: b, joint } = benchWithJoint();
  b.write(SERVO_ID, "torqueEnable", 1);
  b.run(0.1);
  const before = joint.driven;
  b.run(1);
  expect(joint.driven).toBe(before);
});
