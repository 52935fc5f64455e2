import { expect, test } from "vitest";
import { DEFAULT_POSE } from "../../../../robot/description/poses.ts";
import { Harness } from "../testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "../testing/head-error.ts";
import {
  expectHeadAtTargets,
  expectNoOscillation,
  moveHead,
  tiltedHead,
  withDivisor,
} from "../testing/standing-head.ts";

test.each([
  [128, 5],
  [128, 7],
  [128, 7.7],
  [256, 5],
  [256, 7.7],
])("the head is within 1 degree and 1 mm of its target with the divisor %i at %f V", expectHeadAtTargets);

test("the head does not oscillate with the divisor 128", () => expectNoOscillation(128));

test.each([128, 256])("at the lowest supply, 3.8 V, where the servos are firm: divisor %i", async (divisor) => {
  const harness = await Harness.awakeInPhysics(3.8, withDivisor(divisor));
  for (const head of [DEFAULT_POSE.head, tiltedHead(0, 10, 0), tiltedHead(5, 0, 0)]) {
    await moveHead(harness, head);
    await harness.run(STANDING_MS + 2000);
    expect(headError(harness, head).degrees).toBeLessThan(AT_REST.degrees);
  }
  expect(harness.link.robot.physics.recoveries).toBe(0);
});
