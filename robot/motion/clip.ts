import type { JointName } from "../description/joints.ts";
import type { InverseKinematics } from "../kinematics/inverse.ts";

/** Why the robot is sent elsewhere than asked. Angles in radians. */
export type Clip =
  /** Beyond the range of a joint. */
  | { readonly reason: "range"; readonly joint: JointName; readonly asked: number; readonly given: number }
  /** No reachable head pose; the nearest one is this far away (metres, radians). */
  | {
      readonly reason: "reach";
      readonly problem: InverseKinematics;
      readonly metres: number;
      readonly radians: number;
    }
  /** Faster than a joint may move or speed up: it is this far behind. */
  | { readonly reason: "rate"; readonly joint: JointName; readonly behind: number }
  /** The legs stand outside the workspace and go to the neutral head first. */
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
        ? `the arm of ${problem.joint} would have no hold`
        : `the rod of ${problem.joint} is ${millimetres(Math.abs(problem.by))} too ${problem.by > 0 ? "short" : "long"}`;
    case "loose":
      return "the platform would have no hold";
    case "reachable":
      return "it is at the edge";
  }
}

/** A sentence for people: what was asked, what the robot does instead. */
export function describeClip(clip: Clip): string {
  switch (clip.reason) {
    case "range":
      return `${clip.joint} was asked for ${degrees(clip.asked)} and goes to its limit at ${degrees(clip.given)}.`;
    case "reach":
      return `The head cannot reach the pose (${problemText(clip.problem)}); it goes to a pose ${millimetres(clip.metres)} and ${degrees(clip.radians)} away.`;
    case "rate":
      return `${clip.joint} cannot move that fast; it is ${degrees(clip.behind)} behind.`;
    case "recovery":
      return "The legs stand outside the workspace; the head goes to its neutral pose first.";
  }
}
