import { expect, test } from "vitest";
import { DEGREE } from "../../common/degree.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "../../robot/description/poses.ts";
import { poseDistance } from "../../robot/kinematics/pose.ts";
import { MOTORS } from "../servos/motor/motor-parameters.ts";
import { postureOf } from "./model/posture.ts";
import { driveTo } from "./testing/measure.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "./world.ts";

const awake = postureOf(DEFAULT_POSE);
const asleep = postureOf(SLEEP_POSE);

function run(world: PhysicsWorld, seconds: number): void {
  for (let step = 0; step < Math.round(seconds / TIMESTEP); step += 1) world.step();
}

/** All that a viewer or a servo can read of a world, without rounding. */
function trace(world: PhysicsWorld, seconds: number): number[] {
  const values: number[] = [];
  for (let part = 0; part < 10; part += 1) {
    run(world, seconds / 10);
    const { joints, head } = world.posture();
    values.push(...joints, ...head, ...world.actuators.map((motor) => motor.torque()), world.closureError());
  }
  return values;
}

async function holding(posture = awake, seed = 1): Promise<PhysicsWorld> {
  const world = await createPhysics({ posture, seed });
  driveTo(world, posture.joints);
  return world;
}

test("without power the robot stays in the sleep pose", async () => {
  const world = await createPhysics({ posture: asleep, seed: 1 });
  run(world, 2);
  const { metres, radians } = poseDistance(world.headPose(), SLEEP_POSE.head);
  expect(metres).toBeLessThan(0.002);
  expect(radians).toBeLessThan(2 * DEGREE);
  expect(world.recoveries).toBe(0);
});

test("without power the raised head sinks to near the sleep pose", async () => {
  const world = await createPhysics({ posture: awake, seed: 1 });
  run(world, 3);
  const { metres, radians } = poseDistance(world.headPose(), SLEEP_POSE.head);
  expect(metres).toBeLessThan(0.015);
  expect(radians).toBeLessThan(10 * DEGREE);
  expect(world.recoveries).toBe(0);
});

test("the same calls give bit-identical motion; another seed gives another motion", async () => {
  const [first, second, other] = await Promise.all([holding(), holding(), holding(awake, 2)]);
  for (const world of [first, second, other]) {
    run(world, 0.2);
    world.push("hand", { body: "head", point: [0.03, 0, 0.2], force: [0, 2, 0] }, 0.1);
    for (const motor of world.actuators) motor.drive({ kind: "off" });
  }
  const expected = trace(first, 0.5);
  expect(trace(second, 0.5)).toEqual(expected);
  expect(trace(other, 0.5)).not.toEqual(expected);
});

test("a restored world continues bit-identically, with its pushes, objects and motor commands", async () => {
  const original = await holding();
  original.addObject({ name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.05, position: [0, 0, 0.35] });
  original.actuators[1]?.drive({ kind: "voltage", volts: 1 });
  original.push("hand", { body: "head", point: [0.03, 0, 0.2], force: [0, 2, 0] }, 0.5);
  run(original, 0.3);
  const snapshot = original.snapshot();
  const expected = trace(original, 0.5);

  const restored = await createPhysics({ posture: asleep, seed: 7 });
  restored.restore(structuredClone(snapshot));
  expect(trace(restored, 0.5)).toEqual(expected);
  original.restore(snapshot);
  expect(trace(original, 0.5)).toEqual(expected);
  expect(restored.objects()).toEqual(original.objects());
});

test.each([
  ["backwards", [-0.06, 0.06, 0.2], [20, 0, 0]],
  ["sideways", [0, -0.06, 0.2], [0, 20, 0]],
  ["down on its rim", [0.06, 0.06, 0.28], [0, 0, -12]],
] as const)("a platform that was pushed inside out %s is recovered and holds its pose", async (_, point, force) => {
  const world = await holding();
  run(world, 0.2);
  world.push("hand", { body: "head", point, force }, 0.4);
  run(world, 0.6);
  expect(world.recoveries).toBeGreaterThan(0);
  const { recoveries } = world;
  run(world, 2);
  expect(poseDistance(world.headPose(), DEFAULT_POSE.head).metres).toBeLessThan(0.0005);
  expect(world.closureError()).toBeLessThan(0.0001);
  expect(world.recoveries).toBe(recoveries);
});

test("an antenna that its motor holds is deflected by a push and returns", async () => {
  const world = await holding();
  run(world, 0.5);
  const antenna = world.actuators[8];
  const held = antenna?.position() ?? Number.NaN;
  const { x, y, z } = world.body("left_antenna")?.translation() ?? { x: 0, y: 0, z: 0 };
  antenna?.drive({ kind: "position", target: held, stiffness: 10, damping: 0.25, maxTorque: 0.05 });
  world.push("finger", { body: "left_antenna", point: [x, y, z + 0.07], force: [2, 0, 0] }, 0.2);
  run(world, 0.2);
  expect(Math.abs((antenna?.position() ?? 0) - held)).toBeGreaterThan(0.25);
  run(world, 1);
  expect(antenna?.position()).toBeCloseTo(held, 2);
});

test("a joint with stops turns the long way round", async () => {
  const world = await holding();
  for (const yaw of [150 * DEGREE, -150 * DEGREE]) {
    driveTo(world, [yaw, ...awake.joints.slice(1)]);
    run(world, 2.5);
    expect(world.actuators[0]?.position()).toBeCloseTo(yaw, 1);
  }
});

test("an antenna's angle continues beyond half a turn", async () => {
  const world = await holding();
  driveTo(world, [...awake.joints.slice(0, 7), -3.5, 3.5]);
  run(world, 1.5);
  expect(world.actuators[7]?.position()).toBeCloseTo(-3.5, 2);
  expect(world.actuators[8]?.position()).toBeCloseTo(3.5, 2);
});

test("the voltage of the holding torque holds a leg, and a higher voltage turns it", async () => {
  const world = await createPhysics({ posture: awake, seed: 1 });
  driveTo(world, awake.joints);
  run(world, 0.3);
  const leg = world.actuators[1];
  const { resistance, torqueConstant } = MOTORS["XL330-M288"];
  leg?.drive({ kind: "voltage", volts: (leg.torque() * resistance) / torqueConstant });
  const before = leg?.position() ?? Number.NaN;
  run(world, 0.5);
  expect(leg?.position()).toBeCloseTo(before, 1);
  leg?.drive({ kind: "voltage", volts: 3 });
  run(world, 0.5);
  expect(leg?.position()).toBeGreaterThan(before + 0.2);
});

test("objects lie on the table, and a ball that drops on the head moves it", async () => {
  const world = await holding();
  run(world, 0.5);
  world.addObject({
    name: "box",
    shape: { kind: "box", size: [0.04, 0.04, 0.02] },
    mass: 0.1,
    position: [0.3, 0, 0.1],
  });
  world.addObject({ name: "ball", shape: { kind: "ball", radius: 0.03 }, mass: 0.2, position: [0, 0, 0.4] });
  let lowest = 0;
  for (let step = 0; step < 2 / TIMESTEP; step += 1) {
    world.step();
    lowest = Math.min(lowest, world.headPose()[11]);
  }
  expect(lowest).toBeLessThan(-0.0005);
  expect(world.body("box")?.translation().z).toBeCloseTo(0.01, 2);
  expect(world.removeObject("ball")).toBe(true);
  expect(world.removeObject("ball")).toBe(false);
  run(world, 0.5);
  expect(poseDistance(world.headPose(), DEFAULT_POSE.head).metres).toBeLessThan(0.0005);
});

const BALL = { name: "ball", shape: { kind: "ball", radius: 0.03 }, mass: 0.05, position: [0.2, 0, 0.03] } as const;

test("a pull lifts an object by a point and holds it at the target without overshoot", async () => {
  const world = await holding();
  world.addObject(BALL);
  run(world, 0.2);
  const place = [0.25, 0.1, 0.2] as const;
  let highest = 0;
  for (let part = 0; part < 10; part += 1) {
    world.push("hand", { body: "ball", point: [0.2, 0, 0.06], towards: place }, 0.2);
    for (let step = 0; step < 0.15 / TIMESTEP; step += 1) {
      world.step();
      highest = Math.max(highest, world.body("ball")?.translation().z ?? 0);
    }
  }
  // Held at its top: its centre is one radius below.
  const { x = 0, y = 0, z = 0 } = world.body("ball")?.translation() ?? {};
  expect(Math.hypot(x - place[0], y - place[1], z - place[2])).toBeCloseTo(0.03, 3);
  expect(highest).toBeLessThan(place[2] + 0.002);
  run(world, 1);
  expect(world.body("ball")?.translation().z).toBeCloseTo(0.03, 2);
});

test("a pull on the head is no stronger than a push", async () => {
  const world = await holding();
  world.push("hand", { body: "head", towards: [0, 0, 9] }, 1);
  run(world, 1);
  expect(world.closureError()).toBeLessThan(0.0005);
});

test("an object that falls off the table is removed", async () => {
  const world = await holding();
  world.addObject({ ...BALL, position: [1, 1, 0.1] });
  world.push("hand", { body: "ball", force: [0.2, 0.2, 0] }, 0.3);
  run(world, 1.5);
  expect(world.objects()).toEqual([]);
});

test("a fixed object stays in the air, also when it is hit, pushed and restored", async () => {
  const world = await holding();
  world.addObject({ ...BALL, name: "moon", position: [0.3, 0, 0.3], fixed: true });
  world.addObject({ ...BALL, position: [0.3, 0.005, 0.4] });
  world.push("hand", { body: "moon", towards: [0.5, 0, 0.3] }, 0.5);
  run(world, 0.5);
  world.restore(world.snapshot());
  run(world, 0.5);
  const { x, y, z } = world.body("moon")?.translation() ?? {};
  expect([x, y, z]).toEqual([0.3, 0, 0.3].map(Math.fround));
  expect(world.body("ball")?.translation().z).toBeCloseTo(0.03, 2);
  world.addObject({ ...BALL, name: "below", position: [0, 0, -0.9], fixed: true });
  run(world, 0.1);
  expect(world.removeObject("below")).toBe(true);
});

test("impossible objects and pushes are refused with the reason", async () => {
  const world = await holding();
  const ball = { name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.1, position: [0.3, 0, 0.1] } as const;
  world.addObject(ball);
  expect(() => world.addObject(ball)).toThrow(/taken/);
  expect(() => world.addObject({ ...ball, name: "head" })).toThrow(/part of the robot/);
  expect(() => world.addObject({ ...ball, name: "b", mass: 9 })).toThrow(/at most 5 kg/);
  expect(() => world.addObject({ ...ball, name: "b", shape: { kind: "box", size: [1, 1, 1] } })).toThrow(/0.5 m/);
  expect(() => world.push("hand", { body: "nose", point: [0, 0, 0], force: [1, 0, 0] })).toThrow(/no body "nose"/);
  expect(() => world.push("hand", { body: "head", point: [0, 0, 0], force: [Number.NaN, 0, 0] })).toThrow(/finite/);
});
