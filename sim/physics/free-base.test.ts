import { beforeEach, expect, test } from "vitest";
import { DEGREE } from "../../common/degree.ts";
import { DEFAULT_POSE } from "../../robot/description/poses.ts";
import { postureOf } from "./model/posture.ts";
import { driveTo } from "./testing/measure.ts";
import { createPhysics, type PhysicsWorld, TIMESTEP } from "./world.ts";

const posture = postureOf(DEFAULT_POSE);
let world: PhysicsWorld;

function run(seconds: number): void {
  for (let step = 0; step < Math.round(seconds / TIMESTEP); step += 1) world.step();
}

/** Pushes along x for half a second, in newtons; the foot is on the height 0, the head's middle at 0.2 m. */
function push(body: "trunk" | "head", height: number, newtons: number): void {
  world.push("hand", { body, point: [0, 0, height], force: [newtons, 0, 0] }, 0.5);
  run(2);
}

/** Radians between the robot's axis and the vertical. */
function tilt(): number {
  const [x, y] = world.base().rotation;
  return 2 * Math.asin(Math.min(1, Math.hypot(x, y)));
}

beforeEach(async () => {
  world = await createPhysics({ posture, seed: 1, freeBase: true });
  driveTo(world, posture.joints);
  run(1);
});

test("it stands still, and rests", () => {
  expect(world.isAtRest).toBe(true);
  expect(tilt()).toBeLessThan(DEGREE);
  expect(Math.abs(world.base().position[2])).toBeLessThan(0.003);
});

test("friction holds it against a weak push; a strong low one slides it, upright", () => {
  push("trunk", 0.02, 4);
  expect(world.base().position[0]).toBeLessThan(0.002);
  push("trunk", 0.02, 9);
  expect(world.base().position[0]).toBeGreaterThan(0.05);
  expect(tilt()).toBeLessThan(DEGREE);
  expect(world.recoveries).toBe(0);
});

test("a weak high push rocks it, a strong one tips it over; the head's pose is that of the joints all the same", () => {
  push("head", 0.2, 2);
  expect(tilt()).toBeLessThan(DEGREE);
  push("head", 0.2, 5);
  expect(tilt()).toBeGreaterThan(80 * DEGREE);
  const [, , , x, , , , y, , , , z] = world.headPose();
  expect(Math.hypot(x, y, z)).toBeLessThan(0.01);
  expect(world.closureError()).toBeLessThan(0.001);
});

test("a robot that was pushed off the table is put back at its place", () => {
  world.push("hand", { body: "trunk", point: [0, 0, 0.05], force: [25, 0, 0] }, 1);
  run(4);
  expect(world.recoveries).toBeGreaterThan(0);
  expect(tilt()).toBeLessThan(DEGREE);
  expect(Math.hypot(...world.base().position)).toBeLessThan(0.01);
});
