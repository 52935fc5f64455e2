import { describeClip } from "./clip.ts";
import { initialState, limitTarget } from "./limit-target.ts";
import type { MotionTarget } from "./motion-target.ts";

/** Seconds; the value does not matter, since clips by rate are left out. */
const TICK = 0.01;

/**
 * Describes in advance, as a sentence, how a target will be clipped; undefined when the robot can go there exactly. Clips by
 * rate are left out, since they depend on the targets before it.
 *
 * @param joints the nine angles where the robot is, radians
 * @throws WorkbenchError `target-refused` when a number is not finite or the head is not a rigid transform
 */
export function previewClip(target: MotionTarget, joints: readonly number[]): string | undefined {
  const { clipped } = limitTarget(target, initialState(joints), TICK);
  const clip = clipped.find(({ reason }) => reason === "range" || reason === "reach");
  return clip && describeClip(clip);
}
