import { DEGREE } from "../../../common/degree.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "../../description/poses.ts";
import { poseDistance, poseFromRpy } from "../../kinematics/pose.ts";
import { gotoMove, hold, type Move, sequence, type Waypoint } from "./move.ts";

/** What happens beside the motion: the two sounds, and the motors going off. */
export type Cue = "wake_up_sound" | "sleep_sound" | "motors_off";

/** A move with cues at given seconds, in order of time. */
export interface MoveWithCues extends Move {
  readonly cues: readonly { readonly at: number; readonly cue: Cue }[];
}

/** Seconds for each millimetre and for each degree that the head moves. */
const HEAD_PACE = 0.02;
/** Highest average velocity of antennas and body, rad/s. */
const ANTENNA_VELOCITY = 4;
const BODY_VELOCITY = 2;
/** Millimetres plus degrees from the default pose, above which goToSleep passes through it. */
const FAR_FROM_DEFAULT = 5;

const TILTED: Waypoint = { ...DEFAULT_POSE, head: poseFromRpy([0, 0, 0], { roll: 20 * DEGREE, pitch: 0, yaw: 0 }) };
const TILT_SECONDS = 0.2;

/** Distance between two head poses: millimetres plus degrees. */
function headDistance(from: Waypoint, to: Waypoint): number {
  const { metres, radians } = poseDistance(from.head, to.head);
  return metres * 1000 + radians / DEGREE;
}

/** Seconds of a calm move: 20 ms for each mm and degree of the head, or more when antennas or body have far to go. */
export function calmDuration(from: Waypoint, to: Waypoint): number {
  const antennas = Math.max(Math.abs(to.antennas[0] - from.antennas[0]), Math.abs(to.antennas[1] - from.antennas[1]));
  const body = Math.abs((to.bodyYaw ?? 0) - (from.bodyYaw ?? 0));
  return Math.max(HEAD_PACE * headDistance(from, to), antennas / ANTENNA_VELOCITY, body / BODY_VELOCITY);
}

/** Moves to the default pose, plays a sound, and tilts the head to one side and back. */
export function wakeUp(from: Waypoint): MoveWithCues {
  const rise = gotoMove(from, DEFAULT_POSE, calmDuration(from, DEFAULT_POSE), "minjerk");
  const pause = hold(DEFAULT_POSE, 0.1);
  const move = sequence(
    rise,
    pause,
    gotoMove(DEFAULT_POSE, TILTED, TILT_SECONDS, "minjerk"),
    gotoMove(TILTED, DEFAULT_POSE, TILT_SECONDS, "minjerk"),
  );
  return { ...move, cues: [{ at: rise.duration + pause.duration, cue: "wake_up_sound" }] };
}

/** Moves through the default pose (1 s) when far from it, plays a sound, moves to the sleep pose (2 s), motors off. */
export function goToSleep(from: Waypoint): MoveWithCues {
  const isFar = headDistance(from, DEFAULT_POSE) > FAR_FROM_DEFAULT;
  const lowersFrom = isFar ? DEFAULT_POSE : from;
  const toDefault = gotoMove(from, lowersFrom, isFar ? 1 : 0, "minjerk");
  const move = sequence(toDefault, gotoMove(lowersFrom, SLEEP_POSE, 2, "minjerk"));
  return {
    ...move,
    cues: [
      { at: toDefault.duration, cue: "sleep_sound" },
      { at: move.duration, cue: "motors_off" },
    ],
  };
}

/** Longest move back to the default pose, seconds: the servos then arrive within 2 s of an app's end. */
const MAX_RETURN_SECONDS = 1.5;
const MIN_RETURN_SECONDS = 0.4;

/** Moves back to the default pose after an app: calmly when near, never longer than `MAX_RETURN_SECONDS`. */
export function returnToDefault(from: Waypoint): Move {
  const duration = Math.min(MAX_RETURN_SECONDS, Math.max(MIN_RETURN_SECONDS, calmDuration(from, DEFAULT_POSE)));
  return gotoMove(from, DEFAULT_POSE, duration, "minjerk");
}
