import { beforeEach, expect, test } from "vitest";
import type { Vec3 } from "../../robot/description/frames.ts";
import { DEFAULT_POSE } from "../../robot/description/poses.ts";
import { conjugate, rotate } from "../../robot/kinematics/quaternion.ts";
import { norm, subtract } from "../../robot/kinematics/vector.ts";
import { fromRotation, fromVector } from "../physics/engine-vectors.ts";
import { postureOf } from "../physics/model/posture.ts";
import { TIMESTEP } from "../physics/world.ts";
import { SimulatedRobot } from "../robot.ts";
import type { InertialSensor } from "./inertial-sensor.ts";

/** The data sheet's offsets: 20 mg and 1 degree/s on each of three axes. */
const ACCELERATION_OFFSET = 0.196 * Math.sqrt(3);
const RATE_OFFSET = 0.0175 * Math.sqrt(3);
/** N m: holds the head while it turns. */
const DRIVE = { stiffness: 10, damping: 0.25, maxTorque: 1 } as const;

let robot: SimulatedRobot;
let sensor: InertialSensor;

const head = () => robot.physics.part("head");
const inHead = (vector: Vec3) => rotate(conjugate(fromRotation(head().rotation())), vector);

function readings(count: number) {
  return Array.from({ length: count }, () => sensor.read());
}

function mean(vectors: readonly Vec3[]): Vec3 {
  const sum = (axis: 0 | 1 | 2) => vectors.reduce((total, vector) => total + vector[axis], 0) / vectors.length;
  return [sum(0), sum(1), sum(2)];
}

function deviation(vectors: readonly Vec3[]): number {
  const middle = mean(vectors)[0];
  return Math.sqrt(vectors.reduce((total, [x]) => total + (x - middle) ** 2, 0) / vectors.length);
}

beforeEach(async () => {
  robot = await SimulatedRobot.create({ seed: 3, posture: postureOf(DEFAULT_POSE), inertialSensor: true }, () => {});
  sensor = robot.inertialSensor as InertialSensor;
});

test("a head at rest measures 1 g upwards in its own frame, no rotation, and the data sheet's offsets and noise", () => {
  robot.advanceTo(4);
  const many = readings(1000);
  expect(robot.isAtRest).toBe(true);
  const acceleration = many.map(({ accelerometer }) => accelerometer);
  expect(norm(subtract(mean(acceleration), inHead([0, 0, 9.81])))).toBeLessThan(ACCELERATION_OFFSET);
  expect(deviation(acceleration)).toBeCloseTo(0.0193, 2);
  const rates = many.map(({ gyroscope }) => gyroscope);
  expect(norm(mean(rates))).toBeLessThan(RATE_OFFSET);
  expect(norm(mean(rates))).toBeGreaterThan(0.001);
  expect(deviation(rates)).toBeCloseTo(0.0027, 3);
  const temperatures = many.map(({ temperature }) => temperature);
  expect(Math.max(...temperatures) - Math.min(...temperatures)).toBeLessThan(2);
  expect(temperatures.every((value) => Number.isInteger(value * 8))).toBe(true);
});

test("a head that turns measures its rate, and its orientation", () => {
  const [yaw, ...others] = robot.physics.actuators;
  for (const [index, motor] of others.entries()) {
    motor.drive({ kind: "position", target: postureOf(DEFAULT_POSE).joints[index + 1] ?? 0, ...DRIVE });
  }
  yaw?.drive({ kind: "voltage", volts: 1.2 });
  for (let step = 0; step < 300; step += 1) {
    robot.physics.step();
    sensor.afterStep(TIMESTEP);
  }
  const measured = mean(readings(200).map(({ gyroscope }) => gyroscope));
  const rate = inHead(fromVector(head().angvel()));
  expect(norm(rate)).toBeGreaterThan(1);
  expect(norm(subtract(measured, rate))).toBeLessThan(RATE_OFFSET + 0.05);
  const { x, y, z, w } = head().rotation();
  expect(sensor.read().quaternion).toEqual([w, x, y, z]);
});

test("a robot in free motion has the same motion with and without the sensor", async () => {
  const without = await SimulatedRobot.create({ seed: 3, posture: postureOf(DEFAULT_POSE) }, () => {});
  without.advanceTo(0.3);
  robot.advanceTo(0.2);
  sensor.read();
  robot.advanceTo(0.3);
  expect(robot.physics.posture()).toEqual(without.physics.posture());
  expect(without.inertialSensor).toBeUndefined();
});
