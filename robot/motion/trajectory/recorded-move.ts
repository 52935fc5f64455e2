import type { Pose } from "../../description/frames.ts";
import { interpolatePose, poseDistance } from "../../kinematics/pose.ts";
import type { RecordedFrame } from "../../wire/robot/recording.ts";
import { gotoMove, type Move, sequence, type Waypoint } from "./move.ts";

/** Seconds in which the robot goes to the first frame: for each metre and radian, and at most. */
const APPROACH_PACE = { metre: 20, radian: 1 };
const MIN_APPROACH = 0.2;
export const MAX_APPROACH = 1.5;

const waypointOf = ({ head, antennas, bodyYaw }: RecordedFrame): Waypoint => ({
  head: head as unknown as Pose,
  antennas,
  bodyYaw,
});

/**
 * Goes to the first frame of a recording, and then through its frames.
 * @param frames at least one, by time
 */
export function recordedMove(from: Waypoint, frames: readonly [RecordedFrame, ...RecordedFrame[]]): Move {
  const first = waypointOf(frames[0]);
  const { metres, radians } = poseDistance(from.head, first.head);
  const approach = Math.max(MIN_APPROACH, APPROACH_PACE.metre * metres + APPROACH_PACE.radian * radians);
  return sequence(gotoMove(from, first, Math.min(MAX_APPROACH, approach), "minjerk"), {
    duration: frames.at(-1)?.t ?? 0,
    sample: (t) => sampleFrames(frames, t),
  });
}

/** Where a recording is `t` seconds after its first frame: between two frames in straight lines and shortest arcs. */
function sampleFrames(frames: readonly [RecordedFrame, ...RecordedFrame[]], t: number): Waypoint {
  let [low, high] = [0, frames.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((frames[middle]?.t ?? 0) <= t) low = middle;
    else high = middle - 1;
  }
  const before = frames[low] ?? frames[0];
  const after = frames[low + 1];
  if (after === undefined || after.t <= before.t) return waypointOf(before);
  const part = Math.min(1, Math.max(0, (t - before.t) / (after.t - before.t)));
  const mix = (a: number, b: number) => a + (b - a) * part;
  return {
    head: interpolatePose(before.head as unknown as Pose, after.head as unknown as Pose, part),
    antennas: [mix(before.antennas[0], after.antennas[0]), mix(before.antennas[1], after.antennas[1])],
    bodyYaw: mix(before.bodyYaw, after.bodyYaw),
  };
}
