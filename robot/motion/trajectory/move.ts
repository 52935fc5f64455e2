import type { Pose } from "../../description/frames.ts";
import { interpolatePose } from "../../kinematics/pose.ts";
import type { Interpolation } from "../../wire/robot/robot-fields.ts";

/** Pose of the whole robot at one instant. */
export interface Waypoint {
  /** World frame, relative to the neutral head. */
  readonly head: Pose;
  /** Right, left; radians. */
  readonly antennas: readonly [right: number, left: number];
  /** Radians; null leaves it to the automatic body yaw. */
  readonly bodyYaw: number | null;
  /** Whether a given body yaw yields to a head that turns farther than it can from the body. */
  readonly bodyYawYields?: boolean;
}

/** A trajectory in time. */
export interface Move {
  /** Seconds. */
  readonly duration: number;
  /** The pose `t` seconds after the start; the first one before the start and the last one after the end. Pure. */
  sample(t: number): Waypoint;
}

/** Overshoot of `cartoon`: a tenth of the distance (R. Penner's "back" easing, in and out). */
const BACK = 1.70158 * 1.525;

/** From the elapsed part of the time to the part of the distance; all go from (0, 0) to (1, 1). */
export const TIME_SCALINGS: Readonly<Record<Interpolation, (t: number) => number>> = {
  linear: (t) => t,
  /** Starts and ends with zero velocity and acceleration (Flash and Hogan 1985). */
  minjerk: (t) => t * t * t * (10 + t * (6 * t - 15)),
  /** Constant acceleration to the middle, constant braking from there. */
  ease_in_out: (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)),
  /** Moves backwards first and overshoots at the end, by a tenth on both sides. */
  cartoon: (t) => (t < 0.5 ? swing(2 * t) / 2 : 1 - swing(2 - 2 * t) / 2),
};

const swing = (t: number) => t * t * ((BACK + 1) * t - BACK);

const mix = (a: number, b: number, part: number) => a + (b - a) * part;

/** Between two waypoints: the head's origin in a straight line, its orientation along the shortest arc, the rest linearly. */
export const interpolateWaypoint = (from: Waypoint, to: Waypoint, part: number): Waypoint => ({
  head: interpolatePose(from.head, to.head, part),
  antennas: [mix(from.antennas[0], to.antennas[0], part), mix(from.antennas[1], to.antennas[1], part)],
  bodyYaw: from.bodyYaw === null || to.bodyYaw === null ? to.bodyYaw : mix(from.bodyYaw, to.bodyYaw, part),
});

/**
 * A timed move between two waypoints, as of `interpolateWaypoint`. `cartoon` overshoots both ends.
 * @param duration seconds; with 0 the move is at its target immediately
 */
export function gotoMove(from: Waypoint, to: Waypoint, duration: number, method: Interpolation): Move {
  const scaling = TIME_SCALINGS[method];
  return {
    duration,
    sample(t) {
      if (t >= duration) return to;
      const part = scaling(Math.max(0, t) / duration);
      return { ...interpolateWaypoint(from, to, part), ...(to.bodyYawYields && { bodyYawYields: true }) };
    },
  };
}

/** Stays at a waypoint for `duration` seconds. */
export const hold = (at: Waypoint, duration: number): Move => ({ duration, sample: () => at });

/** Runs moves one after another. */
export function sequence(...moves: readonly [Move, ...Move[]]): Move {
  const duration = moves.reduce((sum, move) => sum + move.duration, 0);
  return {
    duration,
    sample(t) {
      let start = 0;
      for (const move of moves) {
        if (t < start + move.duration) return move.sample(t - start);
        start += move.duration;
      }
      const last = moves.at(-1) ?? moves[0];
      return last.sample(last.duration);
    },
  };
}
