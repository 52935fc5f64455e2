import assert from "node:assert/strict";
import { defineParameterType, Given, Then, When } from "@cucumber/cucumber";
import { JOINTS } from "../../robot/description/joints.ts";
import type { XyzRpy } from "../../robot/wire/robot.ts";
import { within } from "../runner/waiting.ts";
import { measured, type Scene } from "./scene.ts";

const DEGREE = Math.PI / 180;
const UNITS: Record<string, number> = { degrees: DEGREE, mm: 0.001 };
/** Of what gravity and the servos' resolution leave: in degrees or millimetres. */
const NEAR = 2;
/** Radians. */
const ARRIVED = 0.05;

/** One coordinate of the head pose, radians or metres, and how near counts as there. */
interface Coordinate {
  axis: keyof XyzRpy;
  value: number;
  near: number;
}

defineParameterType({
  name: "coordinate",
  regexp: /(x|y|z|roll|pitch|yaw) (-?[\d.]+) (degrees|mm)/,
  transformer: (axis: string, amount: string, unit: string): Coordinate => {
    const scale = UNITS[unit] ?? 1;
    return { axis: axis as keyof XyzRpy, value: Number(amount) * scale, near: NEAR * scale };
  },
});

async function send(scene: Scene, path: string, body?: unknown): Promise<void> {
  scene.answers = [await scene.request("POST", path, body)];
}

const headPose = (scene: Scene): Promise<XyzRpy> => scene.get("/api/state/present_head_pose");
const sendHead = (scene: Scene, { axis, value }: Coordinate, duration: number): Promise<void> =>
  send(scene, "/api/move/goto", { head_pose: { [axis]: value }, duration });

When(
  "the head is sent to {coordinate} in {float} seconds",
  function (this: Scene, where: Coordinate, duration: number) {
    return sendHead(this, where, duration);
  },
);

Given(
  "the head is on its way to {coordinate} in {float} seconds",
  async function (this: Scene, where: Coordinate, duration: number) {
    await sendHead(this, where, duration);
    await within(duration * 1000, "the head moves", async () => {
      return Math.abs((await headPose(this))[where.axis]) > 0.1 * Math.abs(where.value);
    });
  },
);

When("the running move is stopped", async function (this: Scene) {
  const [move] = await this.get<{ uuid: string }[]>("/api/move/running");
  await send(this, "/api/move/stop", move);
});

When("the target {coordinate} is set", function (this: Scene, { axis, value }: Coordinate) {
  return send(this, "/api/move/set_target", { head_pose: { [axis]: value } });
});

When(/^the head is sent to the yaw (.+)$/, async function (this: Scene, number: string) {
  this.answers = [await this.requestText("POST", "/api/move/goto", `{"head_pose":{"yaw":${number}}}`)];
});

When("the head is sent to a matrix of zeros", function (this: Scene) {
  return send(this, "/api/move/goto", { head_pose: Array(16).fill(0) });
});

When("the motor mode is set to {string}", async function (this: Scene, mode: string) {
  await send(this, `/api/motors/set_mode/${mode}`);
  assert.equal(this.answer.status, 200, JSON.stringify(this.answer.body));
});

When("the robot is sent to sleep", function (this: Scene) {
  return send(this, "/api/move/play/goto_sleep");
});

When("the robot is woken", function (this: Scene) {
  return send(this, "/api/move/play/wake_up");
});

When("somebody pushes the head", async function (this: Scene) {
  this.headBefore = await headPose(this);
  await this.push("head", [0, 3, 0], 1);
});

When("for {int} seconds targets far beyond every limit are set", async function (this: Scene, seconds: number) {
  const end = performance.now() + 1000 * seconds;
  for (let sign = 1; performance.now() < end; sign = -sign) {
    const far = { x: sign, y: -sign, z: sign, roll: 2 * sign, pitch: -2 * sign, yaw: 3 * sign };
    await send(this, "/api/move/set_target", { head_pose: far, antennas: [6 * sign, -6 * sign], body_yaw: 6 * sign });
    assert.equal(this.answer.status, 200, JSON.stringify(this.answer.body));
  }
});

When("the robot is at rest", async function (this: Scene) {
  let before = await measured(this);
  let since = performance.now();
  await within(10_000, "the robot is at rest", async () => {
    const joints = await measured(this);
    if (joints.some((angle, joint) => Math.abs(angle - (before[joint] ?? 0)) > 0.01)) {
      [before, since] = [joints, performance.now()];
    }
    return performance.now() - since > 500;
  });
});

Then("the answer tells {string}", function (this: Scene, words: string) {
  assert.match(JSON.stringify(this.answer.body), new RegExp(words));
});

Then(
  "within {int} seconds the head is at {coordinate}",
  async function (this: Scene, seconds: number, { axis, value, near }: Coordinate) {
    await within(seconds * 1000, `the head's ${axis} is ${value}`, async () => {
      const there = (await headPose(this))[axis];
      if (Math.abs(there - value) > near) throw new Error(`it is ${there}`);
      return true;
    });
  },
);

Then(
  "the head is between {coordinate} and {coordinate}",
  async function (this: Scene, { axis, value: low }: Coordinate, { value: high }: Coordinate) {
    const there = (await headPose(this))[axis];
    assert.ok(low < there && there < high, `its ${axis} is ${there}, not between ${low} and ${high}`);
  },
);

Then("within {int} seconds the joints are where they were sent", async function (this: Scene, seconds: number) {
  await within(seconds * 1000, "the joints are where they were sent", async () => {
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

interface FullState {
  head_joints: number[];
  antennas_position: number[];
  target: { head_joints: number[]; antennas_position: number[] } | null;
}

const sunk = async (scene: Scene): Promise<number> => -(await headPose(scene)).z;

Then("within {int} seconds the head has sunk by {float} mm", async function (this: Scene, seconds: number, mm: number) {
  await within(seconds * 1000, `the head has sunk by ${mm} mm`, async () => (await sunk(this)) > mm / 1000);
});

Then("the head has sunk by {float} mm", async function (this: Scene, mm: number) {
  assert.ok((await sunk(this)) > mm / 1000, `it has sunk by ${1000 * (await sunk(this))} mm`);
});

Then("within {int} seconds the motor mode is {string}", async function (this: Scene, seconds: number, mode: string) {
  await within(seconds * 1000, `the motor mode is ${mode}`, async () => {
    return (await this.get<{ mode: string }>("/api/motors/status")).mode === mode;
  });
});

const distance = (a: XyzRpy, b: XyzRpy): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/** Looks again and again for so many seconds. */
async function throughout(seconds: number, look: () => Promise<void>): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) await look();
}

Then("for {int} seconds the head stays within {float} mm", async function (this: Scene, seconds: number, mm: number) {
  const before = await headPose(this);
  await throughout(seconds, async () => {
    const moved = 1000 * distance(await headPose(this), before);
    assert.ok(moved < mm, `the head has moved by ${moved.toFixed(1)} mm`);
  });
});

Then(
  "for {int} seconds no joint of the head moves by more than {float} radians",
  async function (this: Scene, seconds: number, radians: number) {
    // A limp antenna may hang beyond its range, and is led back into it.
    const joints = async () => (await measured(this)).slice(0, 7);
    const before = await joints();
    await throughout(seconds, async () => {
      const moved = (await joints()).map((angle, joint) => Math.abs(angle - (before[joint] ?? 0)));
      assert.ok(Math.max(...moved) < radians, `a joint has moved by ${Math.max(...moved).toFixed(3)} rad`);
    });
  },
);

Then("the head has given way by {float} mm", async function (this: Scene, mm: number) {
  const { headBefore } = this;
  assert.ok(headBefore);
  await within(3000, `the head has moved by ${mm} mm`, async () => {
    return 1000 * distance(await headPose(this), headBefore) > mm;
  });
});

/** All states in which the motors held something: what was sent and measured, in the order of `JOINTS`. */
const held = (scene: Scene) =>
  scene.happenings.states.flatMap(({ timestamp, sent, headJoints, antennas }) =>
    sent ? [{ timestamp, sent: [...sent.headJoints, ...sent.antennas], there: [...headJoints, ...antennas] }] : [],
  );

Then("no joint was sent faster than {float} radians a second", function (this: Scene, most: number) {
  const states = held(this);
  assert.ok(states.length > 10, "somebody listened");
  states.slice(1).forEach(({ timestamp, sent }, index) => {
    const last = states[index];
    // States that were skipped, or between which the motors were off, tell nothing of speed.
    if (last === undefined || timestamp - last.timestamp > 0.2) return;
    const fastest = Math.max(...sent.map((angle, joint) => Math.abs(angle - (last.sent[joint] ?? 0))));
    const seconds = Math.max(timestamp - last.timestamp, 0.03);
    assert.ok(fastest / seconds < most, `a joint was sent ${fastest} rad within ${seconds} s`);
  });
});

Then("no joint was sent or measured beyond its limits", function (this: Scene) {
  const states = held(this);
  assert.ok(states.length > 10, "somebody listened");
  for (const { sent, there } of states) {
    JOINTS.forEach(({ name, range: [least, most] }, joint) => {
      const [asked = 0, angle = 0] = [sent[joint], there[joint]];
      assert.ok(asked >= least - 1e-9 && asked <= most + 1e-9, `${name} was sent to ${asked}`);
      assert.ok(angle >= least - ARRIVED && angle <= most + ARRIVED, `${name} was at ${angle}`);
    });
  }
});
