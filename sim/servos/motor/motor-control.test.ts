import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import * as make from "../../../robot/servo/protocol/instructions.ts";
import { ALERT, StatusError } from "../../../robot/servo/protocol/packet.ts";
import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import { radiansPerSecondToUnits, radiansToTicks, ticksToRadians } from "../../../robot/servo/registers/units.ts";
import { BOOT_TIME } from "../servo.ts";
import { type SingleJoint, TestBench } from "../testing/test-bench.ts";

/** stewart_1 and its joint. */
const ID = 11;
/** Radians: the largest overshoot of a goal after a large step, with only the motor to brake. */
const OVERSHOOT = 0.12;
/** Radians: dry friction keeps a joint this far from its goal at the robot's gains (15.6 mN m by 1 N m/rad). */
const DEAD_BAND = 0.017;
/** Radians: a limit in whole ticks may be this far beyond the limit in degrees. */
const TICK = ticksToRadians(1) - ticksToRadians(0);
/** A joint is at an angle, but for what dry friction holds back. */
function expectAt(joint: SingleJoint, radians: number): void {
  expect(Math.abs(joint.position() - radians)).toBeLessThan(DEAD_BAND);
}

function bench(): { bench: TestBench; joint: SingleJoint } {
  const made = new TestBench();
  const [, joint] = made.joints;
  if (joint === undefined) throw new Error("no joint");
  return { bench: made, joint };
}

describe("position", () => {
  test("with torque on the joint moves to its goal", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", radiansToTicks(0.5));
    b.run(1);
    expectAt(joint, 0.5);
    expect(b.read(ID, "presentPosition")).toBe(radiansToTicks(joint.position()));
    expect([b.read(ID, "moving"), (b.read(ID, "movingStatus") ?? 0) & 1]).toEqual([0, 1]);
  });

  test("an earlier goal moves the joint when torque is switched on, so the master must set the goal first", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "goalPosition", 2048);
    joint.turnTo(0.4);
    b.write(ID, "torqueEnable", 1);
    b.run(1);
    expectAt(joint, 0);
  });

  test("goals outside the position limits are refused and change nothing", () => {
    const { bench: b } = bench();
    const [least, most] = JOINTS[1].rawRange;
    expect(b.write(ID, "goalPosition", least - 1)).toBe(StatusError.dataLimit);
    expect(b.write(ID, "goalPosition", most + 1)).toBe(StatusError.dataLimit);
    expect(b.read(ID, "goalPosition")).toBe(2048);
    expect(b.write(ID, "goalPosition", most)).toBe(0);
  });

  test("no sequence of goals drives the joint out of its limits", () => {
    const goals = fc.array(fc.tuple(fc.integer({ min: -5000, max: 9000 }), fc.integer({ min: 1, max: 300 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(goals, (list) => {
        const { bench: b, joint } = bench();
        b.write(ID, "torqueEnable", 1);
        for (const [goal, milliseconds] of list) {
          b.write(ID, "goalPosition", goal);
          for (let i = 0; i < milliseconds; i += 20) {
            b.run(0.02);
            const target = ticksToRadians(b.read(ID, "positionTrajectory") ?? Number.NaN);
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
    const { bench: b, joint } = bench();
    for (const [name, value] of Object.entries(gains)) b.write(ID, name as keyof typeof gains, value);
    b.write(ID, "torqueEnable", 1);
    joint.load = load;
    b.run(2);
    return joint.position();
  }

  test("the stiffness is that of the manufacturer's gain: 1 N m/rad at P 300, and proportional to P", () => {
    // The difference of two loads leaves friction out: 0.1 N m less what the loaded gears hold (a fifth).
    const stiffness = (positionPGain: number) =>
      0.1 / (deflection(0.3, { positionPGain }) - deflection(0.2, { positionPGain }));
    expect(stiffness(300)).toBeGreaterThan(1.2);
    expect(stiffness(300)).toBeLessThan(1.9);
    expect(stiffness(600) / stiffness(300)).toBeCloseTo(2, 0);
  });

  test("a motor that holds a load does not swing between two ticks of the encoder", () => {
    for (let step = 0; step < 20; step += 1) {
      const { bench: b, joint } = bench();
      b.write(ID, "torqueEnable", 1);
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
    const { bench: b } = bench();
    const seen: number[] = [];
    b.write(ID, "profileVelocity", 20); // 0.48 rad/s
    b.write(ID, "profileAcceleration", 5);
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", radiansToTicks(0.6));
    for (let i = 0; i < 100; i++) {
      b.run(0.02);
      seen.push(b.read(ID, "presentVelocity") ?? 0);
    }
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(19);
    expect(Math.max(...seen)).toBeLessThanOrEqual(22);
    expect(seen[2]).toBeLessThan(10);
    expect(Math.abs((b.read(ID, "presentPosition") ?? 0) - radiansToTicks(0.6))).toBeLessThan(DEAD_BAND / TICK);
    expect(b.read(ID, "velocityTrajectory")).toBe(0);
  });

  test("the homing offset shifts the position register, not the joint", () => {
    const { bench: b, joint } = bench();
    expect(b.write(ID, "homingOffset", 0)).toBe(0);
    expect(b.read(ID, "presentPosition")).toBe(2048 - 1024);
    expect(joint.position()).toBe(0);
    b.write(ID, "minPositionLimit", 0);
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", 1024 + 100);
    b.run(1);
    expectAt(joint, ticksToRadians(2148));
  });
});

describe("current and PWM limits", () => {
  /** Current and PWM of a blocked joint with a distant goal, in register units. */
  function measured(limit: "currentLimit" | "pwmLimit" | "goalPwm", value: number, mode = 3): [number, number] {
    const { bench: b, joint } = bench();
    b.write(ID, "operatingMode", mode);
    expect(b.write(ID, limit, value)).toBe(0);
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", 2900);
    joint.blocked = true;
    b.run(0.1);
    return [b.read(ID, "presentCurrent") ?? 0, b.read(ID, "presentPwm") ?? 0];
  }

  test.each([3, 5])("the current limit holds in mode %i", (mode) => {
    expect(measured("currentLimit", 1750, mode)[0]).toBeGreaterThan(1700);
    expect(measured("currentLimit", 300, mode)[0]).toBeCloseTo(300, -1);
  });

  test.each(["pwmLimit", "goalPwm"] as const)("%s holds", (limit) => {
    expect(measured(limit, 200)[1]).toBeCloseTo(200, -1);
  });
});

describe("turns", () => {
  test.each([
    ["torque on", { torqueEnable: 1 }],
    ["a change to position control", { operatingMode: 5, torqueEnable: 0 }],
  ])("position control counts within one turn of the encoder: %s removes the other turns", (_, writes) => {
    const { bench: b, joint } = bench();
    joint.turnTo(-Math.PI - 0.5);
    expect(b.read(ID, "presentPosition")).toBe(radiansToTicks(-Math.PI - 0.5));
    for (const [name, value] of Object.entries(writes)) b.write(ID, name as keyof typeof writes, value);
    if ("operatingMode" in writes) b.write(ID, "operatingMode", 3);
    // Its encoder reads 1024 less than the register, between 0 and 4095.
    expect(b.read(ID, "presentPosition")).toBe(radiansToTicks(-Math.PI - 0.5) + 4096);
  });

  test("an offset above a quarter turn has an effect in other modes only", () => {
    const { bench: b } = bench();
    b.write(ID, "homingOffset", 1500);
    expect(b.read(ID, "presentPosition")).toBe(1024);
    b.write(ID, "operatingMode", 5);
    expect(b.read(ID, "presentPosition")).toBe(1024 + 1500);
  });
});

describe("other operating modes", () => {
  test("a change of mode resets gains and profile, and sets the goals for PWM and current to their limits", () => {
    const { bench: b } = bench();
    b.write(ID, "currentLimit", 900);
    b.write(ID, "profileVelocity", 20);
    b.write(ID, "operatingMode", 3);
    expect([b.read(ID, "positionPGain"), b.read(ID, "profileVelocity")]).toEqual([300, 20]);
    b.write(ID, "operatingMode", 0);
    expect([b.read(ID, "positionPGain"), b.read(ID, "profileVelocity"), b.read(ID, "goalCurrent")]).toEqual([
      400, 0, 900,
    ]);
  });

  test("current control: torque is proportional to current, and the voltage limits the speed", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "operatingMode", 0);
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalCurrent", -500);
    joint.blocked = true;
    b.run(0.1);
    expect(b.read(ID, "presentCurrent")).toBeCloseTo(-500, -1);
    joint.blocked = false;
    expect(b.write(ID, "goalCurrent", 1751)).toBe(StatusError.dataLimit);
    b.run(1);
    expect(Math.abs(joint.velocity())).toBeLessThan(13);
  });

  test("velocity control: the joint turns at the goal velocity, up to the limit", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "operatingMode", 1);
    b.write(ID, "torqueEnable", 1);
    expect(b.write(ID, "goalVelocity", 446)).toBe(StatusError.dataLimit);
    b.write(ID, "goalVelocity", -50);
    b.run(0.5);
    expect(radiansPerSecondToUnits(joint.velocity())).toBeCloseTo(-50, -1);
  });

  test("current-based position control: the joint yields to a load above the current limit", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "operatingMode", 5);
    b.write(ID, "goalCurrent", 200);
    b.write(ID, "torqueEnable", 1);
    joint.load = 0.06;
    b.run(0.5);
    expect(joint.position()).toBeLessThan(0.05);
    joint.load = 0.13;
    b.run(0.5);
    expect(joint.position()).toBeGreaterThan(0.5);
  });

  test("turns are counted until they are cleared", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "operatingMode", 5);
    joint.turnTo(2 * Math.PI * 3);
    expect(b.read(ID, "presentPosition")).toBe(2048 + 3 * 4096);
    expect(b.send(make.clearTurns(ID))).toMatchObject([{ error: 0 }]);
    expect(b.read(ID, "presentPosition")).toBe(2048);
    b.write(ID, "torqueEnable", 1);
    b.run(0.2);
    expect(joint.position()).toBeCloseTo(2 * Math.PI * 3, 2);
    b.write(ID, "goalPosition", 3000);
    b.run(0.05);
    expect(b.send(make.clearTurns(ID))).toMatchObject([{ error: StatusError.resultFail }]);
  });
});

test("modes and features that are not modelled are refused", () => {
  const { bench: b } = bench();
  for (const mode of [2, 4, 16]) expect(b.write(ID, "operatingMode", mode)).toBe(StatusError.dataRange);
  expect(b.write(ID, "driveMode", 1)).toBe(StatusError.dataRange);
});

describe("the watchdog", () => {
  test("stops the joint when the bus is idle, and locks the goals until it is cleared", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "busWatchdog", 5);
    b.write(ID, "profileVelocity", 20);
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", radiansToTicks(1));
    b.run(0.09);
    b.send(make.ping(10));
    b.run(0.09);
    expect(b.read(ID, "busWatchdog")).toBe(5);
    b.run(0.3);
    const stopped = joint.position();
    expect([b.read(ID, "busWatchdog"), b.read(ID, "profileVelocity")]).toEqual([-1, 0]);
    b.run(0.5);
    expect(joint.position()).toBeCloseTo(stopped, 2);
    expect(b.write(ID, "goalPosition", 2048)).toBe(StatusError.dataRange);
    expect(b.write(ID, "busWatchdog", 5)).toBe(StatusError.dataRange);
    expect([b.write(ID, "busWatchdog", 0), b.write(ID, "goalPosition", 2048)]).toEqual([0, 0]);
  });
});

describe("hardware errors", () => {
  test("a blocked joint reports overload; torque stays off until a reboot", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "torqueEnable", 1);
    b.write(ID, "goalPosition", radiansToTicks(0.5));
    joint.blocked = true;
    b.run(1.9);
    expect(b.read(ID, "hardwareErrorStatus")).toBe(0);
    b.run(0.2);
    expect(b.read(ID, "hardwareErrorStatus")).toBe(HardwareError.overload);
    expect(b.send(make.ping(ID))).toMatchObject([{ error: ALERT }]);
    expect(joint.command.kind).toBe("off");
    expect(b.write(ID, "torqueEnable", 1)).toBe(ALERT);
    b.run(3);
    expect(b.read(ID, "torqueEnable")).toBe(0);
    b.send(make.reboot(ID));
    b.run(BOOT_TIME + 0.01);
    expect(b.read(ID, "hardwareErrorStatus")).toBe(0);
    expect([b.write(ID, "torqueEnable", 1), b.read(ID, "torqueEnable")]).toEqual([0, 1]);
  });

  test("overheating switches torque off", () => {
    const { bench: b } = bench();
    b.write(ID, "torqueEnable", 1);
    const [, servo] = b.bus.servos;
    if (servo === undefined) throw new Error("no servo");
    servo.setFaultState({ extraHeat: 50 });
    b.run(0.01);
    expect(b.read(ID, "presentTemperature")).toBe(75);
    expect([b.read(ID, "hardwareErrorStatus"), b.read(ID, "torqueEnable")]).toEqual([HardwareError.overheating, 0]);
  });

  test("a low supply raises an alert while it lasts, and torque stays on: the shutdown mask excludes the voltage", () => {
    const { bench: b } = bench();
    b.write(ID, "torqueEnable", 1);
    b.bus.supplyVoltage = 3.2;
    b.run(0.01);
    expect(b.read(ID, "presentInputVoltage")).toBe(32);
    expect([b.read(ID, "hardwareErrorStatus"), b.read(ID, "torqueEnable")]).toEqual([HardwareError.inputVoltage, 1]);
    b.bus.supplyVoltage = 6;
    b.run(0.01);
    expect(b.read(ID, "hardwareErrorStatus")).toBe(0);
  });

  test("load warms the servo and lowers the voltage", () => {
    const { bench: b, joint } = bench();
    b.write(ID, "torqueEnable", 1);
    joint.load = -0.565;
    b.run(60);
    expect(b.read(ID, "presentTemperature")).toBeGreaterThan(30);
    expect(b.read(ID, "presentCurrent")).toBeGreaterThan(900);
    expect(b.read(ID, "presentInputVoltage")).toBeLessThan(60);
    expect(b.read(ID, "hardwareErrorStatus")).toBe(0);
  });
});

test("a restored bus continues bit-identically", () => {
  const { bench: b } = bench();
  b.write(ID, "profileVelocity", 30);
  b.write(ID, "torqueEnable", 1);
  b.write(ID, "goalPosition", 2700);
  b.send(make.regWrite(12, 65, [1]));
  b.run(0.3);
  const saved = structuredClone(b.bus.save());
  const other = new TestBench();
  other.bus.restore(saved);
  expect(other.bus.save()).toEqual(saved);
  expect(other.send(make.action(12))).toMatchObject([{ error: 0 }]);
  expect(other.read(12, "led")).toBe(1);
});

test("a motor only receives commands that change", () => {
  const { bench: b, joint } = bench();
  b.write(ID, "torqueEnable", 1);
  b.run(0.1);
  const before = joint.driven;
  b.run(1);
  expect(joint.driven).toBe(before);
});
