import { expect, test } from "vitest";
import { DEGREE } from "../../../common/degree.ts";
import { seededRandom } from "../../../common/seeded-random.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { Delay } from "../../evidence/app-run.ts";
import { coursesOf, peaksOf } from "./profile.ts";
import { mergeParts, type SentTarget } from "./targets.ts";

const random = seededRandom(7);

/** Eight seconds of targets every 20 ms and up to `late` seconds more, which arrive up to `late` seconds later. */
function targets(yaw: (t: number) => number, late = 0): SentTarget[] {
  let [t, arrived] = [0, 0];
  return Array.from({ length: 400 }, () => {
    t += 0.02 + late * random();
    arrived = Math.max(arrived, t + late * random());
    const head = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: yaw(t) * DEGREE });
    const target = { ...DEFAULT_POSE, head, bodyYaw: null, automaticBodyYaw: true };
    return { t: arrived, isGoto: false, target, parts: ["head"] };
  });
}

const worst = (asked: readonly SentTarget[], delays: readonly Delay[] = []): number =>
  Math.max(...peaksOf(coursesOf(asked, delays)).map(({ value, limit }) => value / limit));

test("fast smooth motion stays within the profile, also with late arrivals", () => {
  const lively = (t: number) => 30 * Math.sin(3 * t);
  expect(worst(targets(lively))).toBeLessThan(0.1);
  expect(worst(targets(lively, 0.06))).toBeLessThan(0.5);
});

test("a burst of targets after a stall of the machine counts as no jerk", () => {
  const asked = targets((t) => 30 * Math.sin(2 * t));
  const burst = asked.map(({ t, ...rest }) => ({ ...rest, t: t > 3 && t < 3.2 ? 3.2 : t }));
  expect(worst(burst)).toBeLessThan(0.6);
});

test("a pause of the app and a burst at another time count as no jerk", () => {
  const asked = targets((t) => 38 * Math.sin(6 * t));
  const paused = asked.filter(({ t }) => t < 2 || t > 2.2);
  const late = paused.map(({ t, ...rest }) => ({ ...rest, t: t > 5 && t < 5.2 ? 5.2 : t }));
  expect(worst(late)).toBeLessThan(0.8);
});

test("what comes while the app waits for a processor is left out", () => {
  const stalled = targets((t) => 38 * Math.sin(6 * t))
    .filter(({ t }) => t < 2 || t > 2.2)
    .map(({ t, ...rest }) => ({ ...rest, t: t > 2.22 && t < 2.4 ? 2.4 : t }));
  const delays = [{ t: 2.5, seconds: 0.6 }];
  const undisturbed = worst(targets((t) => 38 * Math.sin(6 * t)));
  expect(worst(stalled)).toBeGreaterThan(2 * undisturbed);
  expect(worst(stalled, delays)).toBeLessThan(1.01 * undisturbed);
  expect(coursesOf(stalled, [{ t: 9, seconds: 10 }])).toEqual([]);
});

test("a jump exceeds the profile at any rate of targets", () => {
  const jumps = (t: number) => (t % 2 < 1 ? 38 : 0);
  expect(worst(targets(jumps))).toBeGreaterThan(1.2);
  expect(worst(targets(jumps, 0.03))).toBeGreaterThan(1);
});

test("head, body and antennas that are sent one after the other are one target, also after a stall of the app", () => {
  const whole = targets((t) => 38 * Math.sin(2 * t)).filter(({ t }) => t < 3 || t > 3.2);
  const separate = whole.flatMap(({ t, isGoto, target }, index): SentTarget[] => {
    const yawAt = (at: number) => 0.6 * Math.sin(2 * (whole[at]?.t ?? 0));
    const part = (after: number, name: SentTarget["parts"][number], bodyYaw: number) => ({
      t: t + after,
      isGoto,
      target: { ...target, bodyYaw },
      parts: [name],
    });
    const yaw = yawAt(index);
    return [part(0, "head", yawAt(index - 1)), part(0.0005, "bodyYaw", yaw), part(0.001, "antennas", yaw)];
  });
  expect(mergeParts(separate)).toHaveLength(whole.length);
  expect(worst(separate)).toBeLessThan(1);
  // The same part again is another target.
  expect(mergeParts(whole.map((target, at) => ({ ...target, t: at / 1000 })))).toHaveLength(whole.length);
});

test("a yaw of the body counts, also when a target of the head without one comes right after it", () => {
  const jumping = targets((t) => 38 * Math.sin(2 * t)).flatMap(({ t, isGoto, target }): SentTarget[] => [
    { t, isGoto, target: { ...target, bodyYaw: t % 1 < 0.5 ? 0.9 : -0.9 }, parts: ["bodyYaw"] },
    { t: t + 0.006, isGoto, target: { ...target, bodyYaw: null }, parts: ["head"] },
  ]);
  expect(worst(jumping)).toBeGreaterThan(1.2);
});

test("targets that set nothing are counted, however many come together", () => {
  const [first] = targets(() => 0) as [SentTarget];
  const empty = Array.from({ length: 50 }, (_, at): SentTarget => ({ ...first, t: at / 5000, parts: [] }));
  expect(mergeParts(empty)).toHaveLength(50);
});

test("gotos and pauses begin a new section of motion", () => {
  const asked = targets(() => 0).map((target, at) => ({
    ...target,
    isGoto: at === 100,
    t: target.t + (at > 200 ? 1 : 0),
  }));
  expect(coursesOf(asked).map((course) => course.length)).toEqual([100, 100, 199]);
});
