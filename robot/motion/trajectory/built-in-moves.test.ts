import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_POSE, SLEEP_POSE } from "../../description/poses.ts";
import { legAngles } from "../../kinematics/inverse.ts";
import { nearestReachable } from "../../kinematics/nearest.ts";
import { poseDistance, poseFromRpy, rotatedByYaw, rpyOf } from "../../kinematics/pose.ts";
import type { Clip } from "../limits/clip.ts";
import { initialState, type LimiterState, limitTarget } from "../limits/limit-target.ts";
import { goToSleep, returnToDefault, wakeUp } from "./built-in-moves.ts";
import type { Move, Waypoint } from "./move.ts";

const TICK = 0.01;
const standingAt = ({ head, antennas, bodyYaw }: Waypoint) =>
  initialState([bodyYaw ?? 0, ...legAngles(head, bodyYaw ?? 0), ...antennas]);

/** Plays a move through limitTarget, with `settle` more seconds at its end. */
function play(move: Move, start: LimiterState, settle = 0): { state: LimiterState; clipped: Clip[] } {
  let state = start;
  const all: Clip[] = [];
  for (let t = TICK; t < move.duration + settle + TICK / 2; t += TICK) {
    const { state: next, clipped } = limitTarget({ ...move.sample(t), automaticBodyYaw: false }, state, TICK);
    all.push(...clipped);
    state = next;
  }
  return { state, clipped: all };
}

describe("waking up", () => {
  const wake = wakeUp(SLEEP_POSE);

  test("takes 20 ms for each mm and degree to the default pose, then tilts the head and returns", () => {
    const { metres, radians } = poseDistance(SLEEP_POSE.head, DEFAULT_POSE.head);
    const rise = 0.02 * (metres * 1000 + (radians * 180) / Math.PI);
    expect(wake.duration).toBeCloseTo(rise + 0.1 + 0.4, 9);
    expect(wake.cues).toEqual([{ at: expect.closeTo(rise + 0.1, 9), cue: "wake_up_sound" }]);
    expect((rpyOf(wake.sample(rise + 0.3).head).roll * 180) / Math.PI).toBeCloseTo(20, 6);
    expect(wake.sample(wake.duration)).toBe(DEFAULT_POSE);
  });

  test("is not clipped", () => {
    expect(play(wake, standingAt(SLEEP_POSE)).clipped).toEqual([]);
  });
});

describe("going to sleep", () => {
  const aside: Waypoint = {
    head: poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0.4 }),
    antennas: [1, 1],
    bodyYaw: 0.2,
  };

  test("passes through the default pose from far away, then lowers the head for two seconds and turns the motors off", () => {
    const sleep = goToSleep(aside);
    expect(sleep.cues).toEqual([
      { at: 1, cue: "sleep_sound" },
      { at: 3, cue: "motors_off" },
    ]);
    expect(poseDistance(sleep.sample(1).head, DEFAULT_POSE.head).metres).toBeLessThan(1e-9);
    expect(sleep.sample(3)).toBe(SLEEP_POSE);
    expect(play(sleep, standingAt(aside)).clipped).toEqual([]);
  });

  test("starts immediately from the default pose", () => {
    const sleep = goToSleep(DEFAULT_POSE);
    expect(sleep.cues.map(({ at }) => at)).toEqual([0, 2]);
    expect(play(sleep, standingAt(DEFAULT_POSE)).clipped).toEqual([]);
  });
});

test("from any pose of an app, the robot is back in the default pose within two seconds", () => {
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(between(-0.03, 0.03), between(-0.03, 0.03), between(-0.05, 0.02)),
      fc.record({ roll: between(-0.7, 0.7), pitch: between(-0.7, 0.7), yaw: between(-1.1, 1.1) }),
      fc.tuple(between(-3, 3), between(-3, 3)),
      between(-2.7, 2.7),
      (position, rpy, antennas, bodyYaw) => {
        const { head } = nearestReachable(rotatedByYaw(poseFromRpy(position, rpy), bodyYaw), bodyYaw);
        const from = { head, antennas, bodyYaw };
        const back = returnToDefault(from);
        const { state } = play(back, standingAt(from), 1.95 - back.duration);
        expect(poseDistance(state.head, DEFAULT_POSE.head).metres).toBeLessThan(1e-6);
        expect(poseDistance(state.head, DEFAULT_POSE.head).radians).toBeLessThan(1e-6);
        expect(state.joints[0]).toBeCloseTo(0, 6);
        expect(state.joints.slice(7)).toEqual([
          expect.closeTo(DEFAULT_POSE.antennas[0], 6),
          expect.closeTo(DEFAULT_POSE.antennas[1], 6),
        ]);
      },
    ),
    { numRuns: 20 },
  );
});
