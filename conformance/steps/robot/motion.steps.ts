import assert from "node:assert/strict";
import { defineParameterType } from "@cucumber/cucumber";
import { DEGREE } from "../../../common/degree.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import type { XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import { type FullState, measured, waitUntilStill } from "../support/joints.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

/**
 * Radians or metres of each unit, and how far the head may be from its target: dry friction of the gears keeps it off at the
 * robot's gains (docs/simulator-model.md, "Servos").
 */
const UNITS: Record<string, { scale: number; near: number }> = {
  degrees: { scale: DEGREE, near: 4.5 * DEGREE },
  mm: { scale: 0.001, near: 0.002 },
};
/** Radians by which a joint may be off its target. */
const ARRIVED = 0.05;
/** Number of states that must have come, so that a scenario does not judge an empty list. */
const ENOUGH_STATES = 11;

/** One coordinate of the head pose, radians or metres, and its tolerance. */
interface Coordinate {
  axis: keyof XyzRpy;
  value: number;
  near: number;
}

defineParameterType({
  name: "coordinate",
  regexp: /(x|y|z|roll|pitch|yaw) (-?[\d.]+) (degrees|mm)/,
  transformer: (axis: string, amount: string, unit: string): Coordinate => {
    const { scale, near } = UNITS[unit] ?? { scale: 1, near: 0 };
    return { axis: axis as keyof XyzRpy, value: Number(amount) * scale, near };
  },
});

async function postAndKeepAnswer(world: ScenarioWorld, path: string, body?: unknown): Promise<void> {
  world.answers = [await world.request("POST", path, body)];
  // A later step fails when the robot has not moved, and would not say why.
  if (world.answer.status >= 400) world.attach(JSON.stringify(world.answer.body), "text/plain");
}

const headPose = (world: ScenarioWorld): Promise<XyzRpy> => world.get("/api/state/present_head_pose");
const sendHead = (world: ScenarioWorld, { axis, value }: Coordinate, duration: number): Promise<void> =>
  postAndKeepAnswer(world, "/api/move/goto", { head_pose: { [axis]: value }, duration });

When("the head is sent to {coordinate} in {float} seconds", function (where: Coordinate, duration: number) {
  return sendHead(this, where, duration);
});

When("the head is sent by {coordinate} in {float} seconds", function ({ axis, value }: Coordinate, duration: number) {
  return postAndKeepAnswer(this, "/api/move/goto", { head_pose: { [axis]: value }, duration, relative: true });
});

When("the recorded move {string} is played", function (move: string) {
  return postAndKeepAnswer(this, `/api/move/play/recorded-move-dataset/${move}`);
});

Given(
  "the head is on its way to {coordinate} in {float} seconds",
  async function (where: Coordinate, duration: number) {
    await sendHead(this, where, duration);
    // In its direction: the head may still be a little beside the pose in which the scenario before left it.
    await waitFor(DEADLINE_MS, "the head is on its way", async () => {
      return (await headPose(this))[where.axis] / where.value > 0.1;
    });
  },
);

When("the running move is stopped", async function () {
  const [move] = await this.get<{ uuid: string }[]>("/api/move/running");
  await postAndKeepAnswer(this, "/api/move/stop", move);
});

When("the target {coordinate} is set", function ({ axis, value }: Coordinate) {
  return postAndKeepAnswer(this, "/api/move/set_target", { head_pose: { [axis]: value } });
});

When(/^the head is sent to the yaw (.+)$/, async function (number: string) {
  this.answers = [await this.request("POST", "/api/move/goto", `{"head_pose":{"yaw":${number}}}`)];
});

When("the head is sent to a matrix of zeros", function () {
  return postAndKeepAnswer(this, "/api/move/goto", { head_pose: Array(16).fill(0) });
});

When("the motor mode is set to {string}", async function (mode: string) {
  await postAndKeepAnswer(this, `/api/motors/set_mode/${mode}`);
  assert.equal(this.answer.status, 200, JSON.stringify(this.answer.body));
});

When("goto_sleep is requested", function () {
  return postAndKeepAnswer(this, "/api/move/play/goto_sleep");
});

When("wake_up is requested", function () {
  return postAndKeepAnswer(this, "/api/move/play/wake_up");
});

When("the head is pushed", async function () {
  this.headBefore = await headPose(this);
  await this.push("head", [0, 3, 0], 1);
});

When("for {int} seconds targets far beyond every limit are set", async function (seconds: number) {
  const start = performance.now();
  const isTime = (ms: number) => performance.now() - start < ms;
  // On a busy machine the states come late.
  const isEarly = () => statesWithMotorsOn(this).length < ENOUGH_STATES && isTime(DEADLINE_MS);
  for (let sign = 1; isTime(1000 * seconds) || isEarly(); sign = -sign) {
    const far = { x: sign, y: -sign, z: sign, roll: 2 * sign, pitch: -2 * sign, yaw: 3 * sign };
    await postAndKeepAnswer(this, "/api/move/set_target", {
      head_pose: far,
      antennas: [6 * sign, -6 * sign],
      body_yaw: 6 * sign,
    });
    assert.equal(this.answer.status, 200, JSON.stringify(this.answer.body));
  }
});

When("the robot stands still", async function () {
  await waitUntilStill(this, 500);
});

Then("the answer matches {string}", function (words: string) {
  assert.match(JSON.stringify(this.answer.body), new RegExp(words));
});

Then("eventually the head is at {coordinate}", async function ({ axis, value, near }: Coordinate) {
  await waitFor(DEADLINE_MS, `the head's ${axis} is ${value}`, async () => {
    const there = (await headPose(this))[axis];
    if (Math.abs(there - value) > near) throw new Error(`it is ${there}`);
    return true;
  });
});

Then(
  "the head is between {coordinate} and {coordinate}",
  async function ({ axis, value: low }: Coordinate, { value: high }: Coordinate) {
    const there = (await headPose(this))[axis];
    assert.ok(low < there && there < high, `its ${axis} is ${there}, not between ${low} and ${high}`);
  },
);

Then("eventually the joints are at their targets", async function () {
  await waitFor(DEADLINE_MS, "the joints are where they were sent", async () => {
    const { head_joints, antennas_position, target } = await this.get<FullState>("/api/state/full");
    const moves = await this.get<unknown[]>("/api/move/running");
    assert.deepEqual(moves, [], "no move runs");
    assert.ok(target, "the motors are on");
    const off = [...head_joints, ...antennas_position].map((angle, joint) =>
      Math.abs(angle - ([...target.head_joints, ...target.antennas_position][joint] ?? 0)),
    );
    assert.ok(Math.max(...off) < ARRIVED, `a joint is ${Math.max(...off)} rad off`);
    return true;
  });
});

const sunk = async (world: ScenarioWorld): Promise<number> => -(await headPose(world)).z;

Then("eventually the head has sunk by {float} mm", async function (mm: number) {
  await waitFor(DEADLINE_MS, `the head has sunk by ${mm} mm`, async () => (await sunk(this)) > mm / 1000);
});

Then("the head has sunk by {float} mm", async function (mm: number) {
  assert.ok((await sunk(this)) > mm / 1000, `it has sunk by ${1000 * (await sunk(this))} mm`);
});

Then("eventually the motor mode is {string}", async function (mode: string) {
  await waitFor(DEADLINE_MS, `the motor mode is ${mode}`, async () => {
    return (await this.get<{ mode: string }>("/api/motors/status")).mode === mode;
  });
});

const distance = (a: XyzRpy, b: XyzRpy): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/** Repeats a check for some seconds. */
async function checkFor(seconds: number, check: () => Promise<void>): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) await check();
}

Then("for {int} seconds the head stays within {float} mm", async function (seconds: number, mm: number) {
  const before = await headPose(this);
  await checkFor(seconds, async () => {
    const moved = 1000 * distance(await headPose(this), before);
    assert.ok(moved < mm, `the head has moved by ${moved.toFixed(1)} mm`);
  });
});

Then(
  "for {int} seconds no joint of the head moves by more than {float} radians",
  async function (seconds: number, radians: number) {
    // Without torque an antenna may hang beyond its range; it moves back when the motors go on.
    const joints = async () => (await measured(this)).slice(0, 7);
    const before = await joints();
    await checkFor(seconds, async () => {
      const moved = (await joints()).map((angle, joint) => Math.abs(angle - (before[joint] ?? 0)));
      assert.ok(Math.max(...moved) < radians, `a joint has moved by ${Math.max(...moved).toFixed(3)} rad`);
    });
  },
);

Then("the head has moved by at least {float} mm", async function (mm: number) {
  const { headBefore } = this;
  assert.ok(headBefore);
  await waitFor(DEADLINE_MS, `the head has moved by ${mm} mm`, async () => {
    return 1000 * distance(await headPose(this), headBefore) > mm;
  });
});

/** Seconds over which a speed is taken: on a busy machine a state is late by some 10 ms. */
const SPEED_WINDOW_S = 0.1;

/** Targets and measured angles of all states with the motors on, in the order of `JOINTS`. */
const statesWithMotorsOn = (world: ScenarioWorld) =>
  world.eventStream.states.flatMap(({ timestamp, sent, headJoints, antennas }) =>
    sent ? [{ timestamp, sent: [...sent.headJoints, ...sent.antennas], there: [...headJoints, ...antennas] }] : [],
  );

Then("no joint was sent faster than {float} radians a second", function (most: number) {
  const states = statesWithMotorsOn(this);
  assert.ok(states.length >= ENOUGH_STATES, "states were received");
  let from = 0;
  for (const { timestamp, sent } of states) {
    while (timestamp - (states[from + 1]?.timestamp ?? timestamp) >= SPEED_WINDOW_S) from += 1;
    const { timestamp: since, sent: before } = states[from] ?? { timestamp, sent };
    const seconds = timestamp - since;
    // A gap between two states, or motors that were off, leave the speed unknown.
    if (seconds < SPEED_WINDOW_S || seconds > 2 * SPEED_WINDOW_S) continue;
    const fastest = Math.max(...sent.map((angle, joint) => Math.abs(angle - (before[joint] ?? 0))));
    assert.ok(fastest / seconds < most, `a joint was sent ${fastest} rad within ${seconds} s`);
  }
});

/**
 * Radians by which a measured joint may be beyond its range. An antenna's servo is soft: at full speed it swings past the
 * last goal before it settles (docs/simulator-model.md, "Servos"). Beyond its range an antenna touches nothing.
 */
const overrunOf = (name: string): number => (name.endsWith("antenna") ? 0.25 : ARRIVED);

Then("no joint was sent or measured beyond its limits", function () {
  const states = statesWithMotorsOn(this);
  assert.ok(states.length >= ENOUGH_STATES, "states were received");
  for (const { sent, there } of states) {
    JOINTS.forEach(({ name, range: [least, most] }, joint) => {
      const [asked = 0, angle = 0] = [sent[joint], there[joint]];
      assert.ok(asked >= least - 1e-9 && asked <= most + 1e-9, `${name} was sent to ${asked}`);
      const overrun = overrunOf(name);
      assert.ok(angle >= least - overrun && angle <= most + overrun, `${name} was at ${angle}`);
    });
  }
});
