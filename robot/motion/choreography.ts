import { INIT, SLEEP } from "../description/poses.ts";
import { poseDistance, poseFromRpy } from "../kinematics/pose.ts";
import { gotoMove, hold, type Move, sequence, type Waypoint } from "./move.ts";

/** What happens beside the motion: the two sounds, and letting go of the motors. */
export type Cue = "wake_up_sound" | "sleep_sound" | "motors_off";

/** A move with cues at given seconds, in order of time. */
export interface Choreography extends Move {
  readonly cues: readonly { readonly at: number; readonly cue: Cue }[];
}

const DEGREE = Math.PI / 180;
/** Seconds for each millimetre and for each degree of the head's way. */
const PACE = 0.02;
/** rad/s, on average, that antennas and body are not hurried beyond. */
const ANTENNA_PACE = 4;
const BODY_PACE = 2;
/** Millimetres and degrees from which on the way to sleep leads through the default posture. */
const FAR = 5;

const TILTED: Waypoint = { ...INIT, head: poseFromRpy([0, 0, 0], { roll: 20 * DEGREE, pitch: 0, yaw: 0 }) };
const TILT_SECONDS = 0.2;

/** The head's way in millimetres plus degrees. */
function headDistance(from: Waypoint, to: Waypoint): number {
  const { metres, radians } = poseDistance(from.head, to.head);
  return metres * 1000 + radians / DEGREE;
}

/** Seconds that a calm move takes: 20 ms for each mm and degree of the head, longer for a long way of the others. */
function calmDuration(from: Waypoint, to: Waypoint): number {
  const antennas = Math.max(Math.abs(to.antennas[0] - from.antennas[0]), Math.abs(to.antennas[1] - from.antennas[1]));
  const body = Math.abs((to.bodyYaw ?? 0) - (from.bodyYaw ?? 0));
  return Math.max(PACE * headDistance(from, to), antennas / ANTENNA_PACE, body / BODY_PACE);
}

/** To the default posture, a sound, and a tilt of the head to one side and back. */
export function wakeUp(from: Waypoint): Choreography {
  const rise = gotoMove(from, INIT, calmDuration(from, INIT), "minjerk");
  const rest = hold(INIT, 0.1);
  const move = sequence(
    rise,
    rest,
    gotoMove(INIT, TILTED, TILT_SECONDS, "minjerk"),
    gotoMove(TILTED, INIT, TILT_SECONDS, "minjerk"),
  );
  return { ...move, cues: [{ at: rise.duration + rest.duration, cue: "wake_up_sound" }] };
}

/** Through the default posture (1 s) when far from it, a sound, down to the sleep posture (2 s); the motors let go. */
export function goToSleep(from: Waypoint): Choreography {
  const far = headDistance(from, INIT) > FAR;
  const gather = gotoMove(from, far ? INIT : from, far ? 1 : 0, "minjerk");
  const move = sequence(gather, gotoMove(far ? INIT : from, SLEEP, 2, "minjerk"));
  return {
    ...move,
    cues: [
      { at: gather.duration, cue: "sleep_sound" },
      { at: move.duration, cue: "motors_off" },
    ],
  };
}

/** What a stopped robot gets: the default posture within this many seconds, so that 2 s hold with room for the servos. */
const LONGEST_RETURN = 1.5;
const SHORTEST_RETURN = 0.4;

/** Back to the default posture after an app: calm when near, never longer than `LONGEST_RETURN`. */
export function returnToDefault(from: Waypoint): Move {
  const duration = Math.min(LONGEST_RETURN, Math.max(SHORTEST_RETURN, calmDuration(from, INIT)));
  return gotoMove(from, INIT, duration, "minjerk");
}
