import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import { within } from "../runner/waiting.ts";
import { defaultJoints, measured, type Scene } from "./scene.ts";

/** Radians: what gravity and the servos' resolution leave between command and place. */
const TOLERANCE = 0.05;

async function offDefault(scene: Scene): Promise<number> {
  const wanted = defaultJoints();
  return Math.max(...(await measured(scene)).map((angle, joint) => Math.abs(angle - (wanted[joint] ?? 0))));
}

Then("the servos are at the default position", async function (this: Scene) {
  const off = await offDefault(this);
  assert.ok(off < TOLERANCE, `a joint is ${off.toFixed(3)} rad off the default position`);
});

Then("within {int} seconds the servos are at the default position", async function (this: Scene, seconds: number) {
  await within(
    seconds * 1000,
    "the servos are at the default position",
    async () => (await offDefault(this)) < TOLERANCE,
  );
});

Then(
  "within {int} seconds of the request the servos are at the default position",
  async function (this: Scene, seconds: number) {
    const left = this.requestedAt + seconds * 1000 - performance.now();
    await within(left, "the servos are at the default position", async () => (await offDefault(this)) < TOLERANCE);
  },
);

Then("the robot stays there", async function (this: Scene) {
  const end = performance.now() + 1500;
  while (performance.now() < end) assert.ok((await offDefault(this)) < TOLERANCE, "the robot drove away again");
});

/** Milliseconds of stillness from which a touch of a limp antenna can be told. */
const STILL_MS = 1200;

When("somebody pushes the {word} antenna", async function (this: Scene, side: string) {
  let still = { since: performance.now(), joints: await measured(this) };
  await within(10_000, "the antennas are at rest", async () => {
    const joints = await measured(this);
    const moved = joints.some((angle, joint) => Math.abs(angle - (still.joints[joint] ?? 0)) > 0.01);
    if (moved) still = { since: performance.now(), joints };
    return performance.now() - still.since > STILL_MS;
  });
  await this.push(`${side}_antenna`, [0.4, 0, 0], 0.2);
});
