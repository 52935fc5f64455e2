import type { Pose } from "../../description/frames.ts";
import type { RecordedFrame } from "../../wire/robot/recording.ts";
import { calmDuration } from "./built-in-moves.ts";
import { gotoMove, interpolateWaypoint, type Move, sequence, type Waypoint } from "./move.ts";

/** Seconds in which the robot goes to the first frame, at least. */
const MIN_APPROACH = 0.2;
/**
 * Seconds in which the robot goes to the first frame, at most. A calm turn of the body from one end of its range to the
 * other takes 2.8 s.
 */
export const MAX_APPROACH = 3;

const waypointOf = ({ head, antennas, bodyYaw }: RecordedFrame): Waypoint => ({
  head: head as unknown as Pose,
  antennas,
  bodyYaw,
});

/**
 * Goes to the first frame of a recording as calmly as `calmDuration` says, in `MAX_APPROACH` seconds at most, and then
 * through its frames.
 * @param frames at least one, by time
 */
export function recordedMove(from: Waypoint, frames: readonly [RecordedFrame, ...RecordedFrame[]]): Move {
  const first = waypointOf(frames[0]);
  const approach = Math.min(MAX_APPROACH, Math.max(MIN_APPROACH, calmDuration(from, first)));
  return sequence(gotoMove(from, first, approach, "minjerk"), {
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
  return interpolateWaypoint(waypointOf(before), waypointOf(after), part);
}
