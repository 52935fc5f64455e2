import type { JointName } from "../../description/joints.ts";
import type { InverseKinematics } from "../../kinematics/inverse.ts";

/** Why the robot goes elsewhere than requested. Angles in radians. */
export type Clip =
  /** The angle is beyond the range of the joint. */
  | { readonly reason: "range"; readonly joint: JointName; readonly requested: number; readonly limited: number }
  /** The head pose is not reachable; the nearest reachable one is this far away (metres, radians). */
  | {
      readonly reason: "reach";
      readonly problem: InverseKinematics;
      readonly metres: number;
      readonly radians: number;
    }
  /** The joint cannot move or accelerate that fast: it is this many radians behind. */
  | { readonly reason: "rate"; readonly joint: JointName; readonly behind: number }
  /** The legs are outside the workspace, so the head goes to its neutral pose first. */
  | { readonly reason: "recovery" };

const degrees = (radians: number) => `${((radians * 180) / Math.PI).toFixed(1)} degrees`;
const millimetres = (metres: number) => `${(metres * 1000).toFixed(1)} mm`;

function problemText(problem: InverseKinematics): string {
  switch (problem.status) {
    case "turned-too-far":
      return `its ${problem.axis} is ${degrees(problem.by)} beyond the limit`;
    case "beyond-range":
      return `${problem.joint} would be ${degrees(problem.by)} beyond its range`;
    case "out-of-reach":
      return problem.by === 0
        ? `the arm and the rod of ${problem.joint} would be in one line`
        : `the rod of ${problem.joint} is ${millimetres(Math.abs(problem.by))} too ${problem.by > 0 ? "short" : "long"}`;
    case "unstable":
      return "the legs could not hold the platform";
    case "reachable":
      return "it is at the edge";
  }
}

/** A sentence for people: what was requested, and what the robot does instead. */
export function describeClip(clip: Clip): string {
  switch (clip.reason) {
    case "range":
      return `${clip.joint} was asked for ${degrees(clip.requested)} and goes to its limit at ${degrees(clip.limited)}.`;
    case "reach":
      return `The head cannot reach the pose (${problemText(clip.problem)}); it goes to a pose ${millimetres(clip.metres)} and ${degrees(clip.radians)} away.`;
    case "rate":
      return `${clip.joint} cannot move that fast; it is ${degrees(clip.behind)} behind.`;
    case "recovery":
      return "The legs are outside the workspace; the head goes to its neutral pose first.";
  }
}
