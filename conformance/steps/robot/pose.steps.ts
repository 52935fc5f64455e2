import assert from "node:assert/strict";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { Then, When } from "../support/define-steps.ts";
import { defaultPoseError, isAtDefault, waitUntilStill } from "../support/joints.ts";

Then("the servos are at the default position", async function () {
  const isThere = await isAtDefault(this);
  assert.ok(isThere, `a joint is ${(await defaultPoseError(this)).toFixed(3)} rad off the default position`);
});

Then("eventually the servos are at the default position", async function () {
  await waitFor(DEADLINE_MS, "the servos are at the default position", () => isAtDefault(this));
});

Then("the servos stay at the default position", async function () {
  const end = performance.now() + 1500;
  while (performance.now() < end) assert.ok(await isAtDefault(this), "the robot moved away");
});

/** Milliseconds without motion after which the daemon notices a touch. */
const STILL_MS = 1200;
/** Milliseconds after which a push that nobody noticed is repeated. */
const AGAIN_MS = 3000;

When("the {word} antenna is pushed", async function (side: string) {
  await waitUntilStill(this, STILL_MS);
  // A push that is over before a busy daemon has looked is repeated, as by a hand.
  const touched = () =>
    this.eventStream.events.filter(({ kind, data }) => kind === "antenna_touched" && data.antenna === side).length;
  const before = touched();
  await waitFor(DEADLINE_MS, `a push of the ${side} antenna is noticed`, async () => {
    await this.touch(side);
    return waitFor(AGAIN_MS, "an event antenna_touched", () => touched() > before);
  });
});
