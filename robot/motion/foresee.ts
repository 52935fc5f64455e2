import { describeClip } from "./clip.ts";
import { limitTarget, standing } from "./gate.ts";
import type { Request } from "./request.ts";

/** Seconds; any will do, as rates are left out. */
const TICK = 0.01;

/**
 * What of a target the robot will not do as asked, as a sentence; undefined when it can all be done. Rates are left out:
 * they depend on what else is sent.
 *
 * @param joints the nine angles where the robot is, radians
 * @throws WorkbenchError `target-refused` when a number is not finite or the head is no rigid transform
 */
export function foreseeClip(request: Request, joints: readonly number[]): string | undefined {
  const { clipped } = limitTarget(request, standing(joints), TICK);
  const clip = clipped.find(({ reason }) => reason === "range" || reason === "reach");
  return clip && describeClip(clip);
}
