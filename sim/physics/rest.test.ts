import { beforeEach, expect, test } from "vitest";
import { DEFAULT_POSE } from "../../robot/description/poses.ts";
import { postureOf } from "./model/posture.ts";
import { driveTo } from "./testing/measure.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "./world.ts";

const posture = postureOf(DEFAULT_POSE);
let world: PhysicsWorld;

function run(seconds: number): void {
  for (let step = 0; step < Math.round(seconds / TIMESTEP); step += 1) world.step();
}

beforeEach(async () => {
  world = await createPhysics({ posture, seed: 1 });
  driveTo(world, posture.joints);
  run(2);
});

test("a robot that holds its pose comes to rest, and time passes without motion", () => {
  expect(world.isAtRest).toBe(true);
  const { steps } = world.snapshot();
  const before = world.posture();
  run(1);
  expect(world.posture()).toEqual(before);
  expect(world.snapshot().steps).toBe(steps + Math.round(1 / TIMESTEP));
});

test.each([
  ["a push", () => world.push("hand", { body: "head", force: [0, 5, 0] }, 0.3)],
  ["a motor command", () => driveTo(world, [...posture.joints.slice(0, 8), -1])],
  [
    "an object that falls on the head",
    () => world.addObject({ name: "ball", shape: { kind: "ball", radius: 0.03 }, mass: 0.2, position: [0, 0, 0.35] }),
  ],
] as const)("%s wakes it", (_, act) => {
  const before = world.posture();
  act();
  run(0.1);
  expect(world.isAtRest).toBe(false);
  expect(world.posture()).not.toEqual(before);
});

test("a world restored at rest stays at rest", () => {
  const snapshot = world.snapshot();
  world.push("hand", { body: "head", force: [0, 5, 0] }, 0.3);
  run(0.2);
  world.restore(snapshot);
  expect(world.isAtRest).toBe(true);
});
