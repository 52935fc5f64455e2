import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INIT, SLEEP } from "../description/poses.ts";
import { legAngles } from "../kinematics/inverse.ts";
import { nearestReachable } from "../kinematics/nearest.ts";
import { poseDistance, poseFromRpy, rpyOf, turned } from "../kinematics/pose.ts";
import { goToSleep, returnToDefault, wakeUp } from "./choreography.ts";
import type { Clip } from "./clip.ts";
import { type GateState, limitTarget, standing } from "./gate.ts";
import type { Move, Waypoint } from "./move.ts";

const TICK = 0.01;
const stood = ({ head, antennas, bodyYaw }: Waypoint) =>
  standing([bodyYaw ?? 0, ...legAngles(head, bodyYaw ?? 0), ...antennas]);

/** Plays a move through the gate, with some time to settle. */
function play(move: Move, start: GateState, settle = 0): { state: GateState; clipped: Clip[] } {
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
  const wake = wakeUp(SLEEP);

  test("takes 20 ms for each mm and degree to the default posture, then tilts the head and returns", () => {
    const { metres, radians } = poseDistance(SLEEP.head, INIT.head);
    const rise = 0.02 * (metres * 1000 + (radians * 180) / Math.PI);
    expect(wake.duration).toBeCloseTo(rise + 0.1 + 0.4, 9);
    expect(wake.cues).toEqual([{ at: expect.closeTo(rise + 0.1, 9), cue: "wake_up_sound" }]);
    expect((rpyOf(wake.sample(rise + 0.3).head).roll * 180) / Math.PI).toBeCloseTo(20, 6);
    expect(wake.sample(wake.duration)).toBe(INIT);
  });

  test("asks for nothing that the robot cannot do", () => {
    expect(play(wake, stood(SLEEP)).clipped).toEqual([]);
  });
});

describe("going to sleep", () => {
  const aside: Waypoint = {
    head: poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0.4 }),
    antennas: [1, 1],
    bodyYaw: 0.2,
  };

  test("leads through the default posture from afar, then sinks for two seconds and lets go", () => {
    const sleep = goToSleep(aside);
    expect(sleep.cues).toEqual([
      { at: 1, cue: "sleep_sound" },
      { at: 3, cue: "motors_off" },
    ]);
    expect(poseDistance(sleep.sample(1).head, INIT.head).metres).toBeLessThan(1e-9);
    expect(sleep.sample(3)).toBe(SLEEP);
    expect(play(sleep, stood(aside)).clipped).toEqual([]);
  });

  test("starts at once from the default posture", () => {
    const sleep = goToSleep(INIT);
    expect(sleep.cues.map(({ at }) => at)).toEqual([0, 2]);
    expect(play(sleep, stood(INIT)).clipped).toEqual([]);
  });
});

test("from wherever an app leaves the robot, it is back in the default posture within two seconds", () => {
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(between(-0.03, 0.03), between(-0.03, 0.03), between(-0.05, 0.02)),
      fc.record({ roll: between(-0.7, 0.7), pitch: between(-0.7, 0.7), yaw: between(-1.1, 1.1) }),
      fc.tuple(between(-3, 3), between(-3, 3)),
      between(-2.7, 2.7),
      (position, rpy, antennas, bodyYaw) => {
        const { head } = nearestReachable(turned(poseFromRpy(position, rpy), bodyYaw), bodyYaw);
        const from = { head, antennas, bodyYaw };
        const back = returnToDefault(from);
        const { state } = play(back, stood(from), 1.95 - back.duration);
        expect(poseDistance(state.head, INIT.head).metres).toBeLessThan(1e-6);
        expect(poseDistance(state.head, INIT.head).radians).toBeLessThan(1e-6);
        expect(state.joints[0]).toBeCloseTo(0, 6);
        expect(state.joints.slice(7)).toEqual([
          expect.closeTo(INIT.antennas[0], 6),
          expect.closeTo(INIT.antennas[1], 6),
        ]);
      },
    ),
    { numRuns: 20 },
  );
});
