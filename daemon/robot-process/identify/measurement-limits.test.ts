import { expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { amperesToUnits, radiansPerSecondToUnits } from "../../../robot/servo/registers/units.ts";
import type { Sample } from "../hardware/servos.ts";
import { findBlockedJoint, LoadLimits } from "./measurement-limits.ts";

const STILL: Sample = { goal: 2048, position: 2048, pwm: 0, current: 0, velocity: 0 };

/** Nine servos, the third of which has something else. */
const samplesWith = (change: Partial<Sample>) =>
  JOINTS.map((_, joint) => (joint === 2 ? { ...STILL, ...change } : STILL));

/** Why the limits stop a measurement after this many equal samples. */
function stopAfter(count: number, change: Partial<Sample>): string | undefined {
  const limits = new LoadLimits();
  for (let sample = 1; sample < count; sample += 1) expect(limits.exceeded(samplesWith(change))).toBeUndefined();
  return limits.exceeded(samplesWith(change))?.message;
}

test.each<[string, number, Partial<Sample>, Partial<Sample>, RegExp]>([
  [
    "0.6 rad off its goal",
    1,
    { goal: 2048 + 385 },
    { goal: 2048 - 395 },
    /servo 12 \(stewart_2\) is 0\.61 rad off its goal/,
  ],
  [
    "9 rad/s",
    1,
    { velocity: radiansPerSecondToUnits(8.9) },
    { velocity: radiansPerSecondToUnits(-9.1) },
    /servo 12 \(stewart_2\) turns with 9\.1 rad\/s/,
  ],
  [
    "1.1 A for a second",
    101,
    { current: amperesToUnits(1.05) },
    { current: amperesToUnits(-1.15) },
    /servo 12 \(stewart_2\) has drawn 1\.15 A for a second; allowed: 1\.1 A/,
  ],
])("more than %s stops a measurement, after %i samples", (_, count, allowed, exceeding, message) => {
  expect(stopAfter(300, allowed)).toBeUndefined();
  expect(stopAfter(count, exceeding)).toMatch(message);
});

test("a joint that does not turn for 2.5 s although its goal does is blocked", () => {
  const moving = (position: (sample: number) => number, count = 250) =>
    findBlockedJoint([
      Array.from({ length: count }, (_, sample) => ({ ...STILL, goal: 2048 + sample, position: position(sample) })),
    ]);
  expect(moving(() => 2050)?.message).toMatch(/body_yaw\) has not turned although its goal has moved by 249 ticks/);
  expect(moving(() => 2050, 249)).toBeUndefined();
  expect(moving((sample) => 2040 + sample / 10)).toBeUndefined();
});
