import { describe, expect, test } from "vitest";
import { MODELS, RATED_VOLTAGE } from "../../../robot/servo/registers/models.ts";
import { radiansPerSecondToUnits, radiansToTicks } from "../../../robot/servo/registers/units.ts";
import { DEAD_BAND, SingleJoint, STIFFNESS, TestBench } from "../testing/test-bench.ts";
import { MOTORS } from "./motor-parameters.ts";

/*
 * Each model on a test bench, as its manufacturer measures it: the joint is an inertia with a load torque, the motor gets
 * its rated voltage.
 */

const DT = 1e-3;
const names = ["XL330-M288", "XL330-M077", "XC330-M288"] as const;
/** N m s/rad of the bench's bearing: it takes part in the no-load speed and the coast down. */
const BEARING = 1e-3;

function run(joint: SingleJoint, seconds: number): void {
  for (let t = 0; t < seconds; t += DT) joint.step(DT);
}

describe.each(names)("%s", (name) => {
  const { stallTorque, stallCurrent, noLoadSpeed } = MODELS[name];
  const motor = MOTORS[name];
  const powered = (volts: number, load = 0): SingleJoint => {
    const joint = new SingleJoint(motor);
    joint.drive({ kind: "voltage", volts });
    joint.load = load;
    return joint;
  };

  test("stall torque: it lifts 97 % of the data sheet's, and not 103 %", () => {
    const lifting = powered(RATED_VOLTAGE, -0.97 * stallTorque);
    run(lifting, 1);
    expect(lifting.velocity()).toBeGreaterThan(0);
    expect(lifting.position()).toBeGreaterThan(0.01);
    const stalled = powered(RATED_VOLTAGE, -1.03 * stallTorque);
    run(stalled, 1);
    expect(stalled.position()).toBeLessThan(0.01);
  });

  test("no-load speed at 6 V within 3 % of the data sheet's, without the bearing of the bench", () => {
    const joint = powered(RATED_VOLTAGE);
    run(joint, 1);
    const bearing = (BEARING * motor.resistance) / (motor.torqueConstant * motor.backEmfConstant);
    expect(Math.abs(joint.velocity() * (1 + bearing) - noLoadSpeed) / noLoadSpeed).toBeLessThan(0.03);
  });

  test("half the voltage gives about half the speed: back-EMF acts once", () => {
    const [full, half] = [powered(RATED_VOLTAGE), powered(RATED_VOLTAGE / 2)];
    run(full, 1);
    run(half, 1);
    expect(half.velocity() / full.velocity()).toBeGreaterThan(0.45);
    expect(half.velocity() / full.velocity()).toBeLessThan(0.51);
  });

  test("coasts down in the time that friction and inertia give", () => {
    const joint = powered(RATED_VOLTAGE);
    run(joint, 1);
    const speed = joint.velocity();
    joint.drive({ kind: "off" });
    let seconds = 0;
    while (joint.velocity() > 0.05 && seconds < 5) {
      joint.step(DT);
      seconds += DT;
    }
    const viscosity = motor.viscosity + BEARING;
    const expected = (motor.rotorInertia / viscosity) * Math.log(1 + (viscosity * speed) / motor.friction);
    expect(Math.abs(seconds - expected) / expected).toBeLessThan(0.15);
  });

  test("back-drive torque: it holds 90 % of the static friction without creep, and turns at 115 %", () => {
    const still = new SingleJoint(motor);
    // Applied slowly: a sudden load swings, and breaks the joint loose.
    for (let share = 0; share < 0.9; share += 0.001) {
      still.load = share * motor.staticFriction;
      still.step(DT);
    }
    run(still, 1);
    const before = still.position();
    run(still, 10);
    expect(Math.abs(still.position() - before)).toBeLessThan(1e-6);
    const turning = new SingleJoint(motor);
    turning.load = 1.15 * motor.staticFriction;
    run(turning, 2);
    expect(turning.position()).toBeGreaterThan(0.1);
  });

  test("the winding's current at standstill is the data sheet's stall current", () => {
    expect(RATED_VOLTAGE / motor.resistance).toBeCloseTo(stallCurrent, 6);
  });
});

describe("firmware", () => {
  test("a step of 0.1 rad on an unloaded leg: rises within half a period of stiffness and inertia, overshoots by less than 40 %, and settles", () => {
    const bench = new TestBench();
    const joint = bench.joints[1] as SingleJoint;
    bench.write(11, "torqueEnable", 1);
    bench.write(11, "goalPosition", radiansToTicks(0.1));
    const angles = Array.from({ length: 500 }, () => {
      bench.run(DT);
      return joint.position();
    });
    const halfPeriod = Math.PI * Math.sqrt(MOTORS["XL330-M288"].rotorInertia / STIFFNESS);
    expect(angles.findIndex((angle) => angle > 0.1 - DEAD_BAND)).toBeLessThan(1000 * halfPeriod);
    expect(Math.max(...angles)).toBeLessThan(0.14);
    expect(Math.abs((angles.at(-1) ?? 0) - 0.1)).toBeLessThan(DEAD_BAND);
  });

  test("feed-forward of the profile's velocity and a D gain reduce the lag", () => {
    const lag = (gains: object): number => {
      const bench = new TestBench();
      const joint = bench.joints[1] as SingleJoint;
      for (const [name, value] of Object.entries(gains)) bench.write(11, name as "positionDGain", value);
      bench.write(11, "profileVelocity", radiansPerSecondToUnits(2));
      bench.write(11, "torqueEnable", 1);
      bench.write(11, "goalPosition", radiansToTicks(1.2));
      bench.run(0.4);
      return 0.8 - joint.position();
    };
    const plain = lag({});
    expect(plain).toBeGreaterThan(0.05);
    expect(lag({ feedforward1stGain: 400 })).toBeLessThan(plain / 2);
  });

  test("reports the pulse width and the current that the voltage gives", () => {
    const bench = new TestBench();
    const joint = bench.joints[1] as SingleJoint;
    joint.blocked = true;
    bench.write(11, "torqueEnable", 1);
    bench.write(11, "goalPosition", 2048 + 100);
    bench.run(0.1);
    // 100 ticks by 300/256.
    expect(bench.read(11, "presentPwm")).toBe(117);
    const amperes = ((117 / 885) * 6) / MOTORS["XL330-M288"].resistance;
    expect(bench.read(11, "presentCurrent")).toBeCloseTo(1000 * amperes, -1);
  });
});
