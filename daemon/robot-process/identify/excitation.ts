import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { hold, type Move, sequence, type Waypoint } from "../../../robot/motion/trajectory/move.ts";

/** Metres by which the head moves up and down about its default height, and radians of body and antennas. */
const HEAVE = { centre: -0.002, size: 0.013 };
const TURN = 0.35;
const SWING = 0.5;
/** Times the size a second: speeds of the even strokes, which show friction. */
const STROKES = [0.5, 1, 2, 3, 4.5, 6];
/** Hz and share of the size: sines, which show inertia. */
const SINES = [
  [0.7, 0.9],
  [1.2, 0.7],
  [1.8, 0.5],
  [2.4, 0.35],
] as const;
const STROKE_SECONDS = 4;
const SINE_SECONDS = 4;

/** One joint group's motion: -1 to 1, from 0 to 0. */
const STROKE_MOVES = STROKES.map((speed) => {
  // Whole periods, so that each begins and ends in the middle.
  const periods = Math.max(1, Math.round((STROKE_SECONDS * speed) / 4));
  const seconds = (4 * periods) / speed;
  return { seconds, at: (t: number) => triangle(t / (4 / speed)) };
});
const SINE_MOVES = SINES.map(([hertz, share]) => {
  const seconds = Math.round(SINE_SECONDS * hertz) / hertz;
  return { seconds, at: (t: number) => share * fade(t, seconds) * Math.sin(2 * Math.PI * hertz * t) };
});

/** 0, 1, 0, -1, 0 in a period of 1. */
function triangle(phase: number): number {
  const part = phase - Math.floor(phase);
  return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4;
}

/** From 0 to 1 in the first half second, and back in the last one. */
const fade = (t: number, seconds: number) => Math.min(1, 2 * t, 2 * (seconds - t));

function phase(waypoint: (size: number) => Waypoint): Move {
  const moves = [...STROKE_MOVES, ...SINE_MOVES].map(
    ({ seconds, at }): Move => ({ duration: seconds, sample: (t) => waypoint(at(Math.max(0, Math.min(seconds, t)))) }),
  );
  return sequence(hold(waypoint(0), 0.5), ...moves, hold(waypoint(0), 0.5));
}

/**
 * The motion of a measurement, two minutes: the legs lift and lower the level head, then the body turns, then the antennas
 * swing. Even strokes of several speeds show friction, sines show inertia. All of it is far from limits and from the table.
 */
export function excitation(): Move {
  const level = (z: number) => poseFromRpy([0, 0, z], { roll: 0, pitch: 0, yaw: 0 });
  const legs = phase((size) => ({ ...DEFAULT_POSE, head: level(HEAVE.centre + HEAVE.size * size) }));
  const body = phase((size) => ({
    ...DEFAULT_POSE,
    head: poseFromRpy([0, 0, 0], { roll: 0, pitch: 0, yaw: TURN * size }),
    bodyYaw: TURN * size,
  }));
  const antennas = phase((size) => ({ ...DEFAULT_POSE, antennas: [SWING * size, -SWING * size] }));
  return sequence(legs, body, antennas);
}
