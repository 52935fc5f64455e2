import { describe, expect, test } from "vitest";
import { ALERT, StatusError } from "../../../robot/servo/protocol/packet.ts";
import * as make from "../../../robot/servo/protocol/testing/instructions.ts";
import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import { radiansToTicks } from "../../../robot/servo/registers/units.ts";
import { BOOT_TIME } from "../servo.ts";
import { benchWithJoint, SERVO_ID, TestBench } from "../testing/test-bench.ts";

describe("the watchdog", () => {
  test("stops the joint when the bus is idle, and locks the goals until it is cleared", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "busWatchdog", 5);
    b.write(SERVO_ID, "profileVelocity", 20);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", radiansToTicks(1));
    b.run(0.09);
    b.send(make.ping(10));
    b.run(0.09);
    expect(b.read(SERVO_ID, "busWatchdog")).toBe(5);
    b.run(0.3);
    const stopped = joint.position();
    expect([b.read(SERVO_ID, "busWatchdog"), b.read(SERVO_ID, "profileVelocity")]).toEqual([-1, 0]);
    b.run(0.5);
    expect(joint.position()).toBeCloseTo(stopped, 2);
    expect(b.write(SERVO_ID, "goalPosition", 2048)).toBe(StatusError.dataRange);
    expect(b.write(SERVO_ID, "busWatchdog", 5)).toBe(StatusError.dataRange);
    expect([b.write(SERVO_ID, "busWatchdog", 0), b.write(SERVO_ID, "goalPosition", 2048)]).toEqual([0, 0]);
  });
});

describe("hardware errors", () => {
  test("a blocked joint reports overload; torque stays off until a reboot", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    b.write(SERVO_ID, "goalPosition", radiansToTicks(1));
    joint.blocked = true;
    b.run(1.9);
    expect(b.read(SERVO_ID, "hardwareErrorStatus")).toBe(0);
    b.run(0.2);
    expect(b.read(SERVO_ID, "hardwareErrorStatus")).toBe(HardwareError.overload);
    expect(b.send(make.ping(SERVO_ID))).toMatchObject([{ error: ALERT }]);
    expect(joint.command.kind).toBe("off");
    expect(b.write(SERVO_ID, "torqueEnable", 1)).toBe(ALERT);
    b.run(3);
    expect(b.read(SERVO_ID, "torqueEnable")).toBe(0);
    b.send(make.reboot(SERVO_ID));
    b.run(BOOT_TIME + 0.01);
    expect(b.read(SERVO_ID, "hardwareErrorStatus")).toBe(0);
    expect([b.write(SERVO_ID, "torqueEnable", 1), b.read(SERVO_ID, "torqueEnable")]).toEqual([0, 1]);
  });

  test("overheating switches torque off", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    const [, servo] = b.bus.servos;
    if (servo === undefined) throw new Error("no servo");
    servo.setFaultState({ extraHeat: 50 });
    b.run(0.01);
    expect(b.read(SERVO_ID, "presentTemperature")).toBe(75);
    expect([b.read(SERVO_ID, "hardwareErrorStatus"), b.read(SERVO_ID, "torqueEnable")]).toEqual([
      HardwareError.overheating,
      0,
    ]);
  });

  test("a low supply raises an alert while it lasts, and torque stays on: the shutdown mask excludes the voltage", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    b.bus.supplyVoltage = 3.2;
    b.run(0.01);
    expect(b.read(SERVO_ID, "presentInputVoltage")).toBe(32);
    expect([b.read(SERVO_ID, "hardwareErrorStatus"), b.read(SERVO_ID, "torqueEnable")]).toEqual([
      HardwareError.inputVoltage,
      1,
    ]);
    b.bus.supplyVoltage = 6;
    b.run(0.01);
    expect(b.read(SERVO_ID, "hardwareErrorStatus")).toBe(0);
  });

  test("above 7.0 V, as the servo measures it, the voltage is an error, which a servo with its maker's mask shuts down for", () => {
    const { bench: b } = benchWithJoint();
    const errors = () => [
      b.read(SERVO_ID, "presentInputVoltage"),
      b.read(SERVO_ID, "hardwareErrorStatus"),
      b.read(SERVO_ID, "torqueEnable"),
    ];
    b.write(SERVO_ID, "torqueEnable", 1);
    b.bus.supplyVoltage = 7.04;
    b.run(0.01);
    expect(errors()).toEqual([70, 0, 1]);
    b.bus.supplyVoltage = 7.3;
    b.run(0.01);
    expect(errors()).toEqual([73, HardwareError.inputVoltage, 1]);
    b.write(SERVO_ID, "torqueEnable", 0);
    b.write(SERVO_ID, "shutdown", 53);
    b.write(SERVO_ID, "torqueEnable", 1);
    b.run(0.01);
    expect(errors()).toEqual([73, HardwareError.inputVoltage, 0]);
    b.bus.supplyVoltage = 6;
    b.run(0.01);
    expect(errors()).toEqual([60, HardwareError.inputVoltage, 0]);
    expect(b.write(SERVO_ID, "shutdown", 52)).toBe(ALERT);
    b.send(make.reboot(SERVO_ID));
    b.run(BOOT_TIME + 0.01);
    expect([errors(), b.read(SERVO_ID, "shutdown")]).toEqual([[60, 0, 0], 52]);
  });

  test("a brown-out ends torque and answers; the servo restarts with its settings and without torque", () => {
    const { bench: b } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    b.bus.supplyVoltage = 2;
    b.run(0.05);
    expect(b.read(SERVO_ID, "torqueEnable")).toBeUndefined();
    b.bus.supplyVoltage = 6;
    b.run(BOOT_TIME - 0.01);
    expect(b.read(SERVO_ID, "torqueEnable")).toBeUndefined();
    b.run(0.02);
    expect([b.read(SERVO_ID, "torqueEnable"), b.read(SERVO_ID, "hardwareErrorStatus")]).toEqual([0, 0]);
    expect([b.write(SERVO_ID, "torqueEnable", 1), b.read(SERVO_ID, "torqueEnable")]).toEqual([0, 1]);
  });

  test("load warms the servo and lowers the voltage", () => {
    const { bench: b, joint } = benchWithJoint();
    b.write(SERVO_ID, "torqueEnable", 1);
    joint.load = -0.565;
    b.run(60);
    expect(b.read(SERVO_ID, "presentTemperature")).toBeGreaterThan(30);
    expect(b.read(SERVO_ID, "presentCurrent")).toBeGreaterThan(900);
    expect(b.read(SERVO_ID, "presentInputVoltage")).toBeLessThan(60);
    expect(b.read(SERVO_ID, "hardwareErrorStatus")).toBe(0);
  });
});

test("a restored bus continues bit-identically", () => {
  const { bench: b } = benchWithJoint();
  b.write(SERVO_ID, "profileVelocity", 30);
  b.write(SERVO_ID, "torqueEnable", 1);
  b.write(SERVO_ID, "goalPosition", 2700);
  b.send(make.regWrite(12, 65, [1]));
  b.run(0.3);
  const saved = structuredClone(b.bus.save());
  const other = new TestBench();
  other.bus.restore(saved);
  expect(other.bus.save()).toEqual(saved);
  expect(other.send(make.action(12))).toMatchObject([{ error: 0 }]);
  expect(other.read(12, "led")).toBe(1);
});
