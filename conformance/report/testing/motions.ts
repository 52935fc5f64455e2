import { inverseKinematics } from "../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { Motion } from "../../verdict/verdict.ts";

/** Where an app wants the robot: metres and radians; null while the motors are off. */
export interface TargetPose {
  z?: number;
  roll?: number;
  pitch?: number;
  yaw?: number;
  body?: number;
  antennas?: readonly [right: number, left: number];
}

const PERIOD = 0.04;
/** Moments that the measured pose is late. */
const LAG = 2;

/** A motion as it would be recorded: what was sent follows the targets, what is measured comes a little late. */
export function motionOf(duration: number, target: (t: number) => TargetPose | null): Motion {
  const t = Array.from({ length: Math.floor(duration / PERIOD) + 1 }, (_, i) => Number((i * PERIOD).toFixed(2)));
  const sent = t.map((at) => {
    const wanted = target(at);
    return wanted && jointsOf(wanted);
  });
  let held = sent.find((row) => row !== null) ?? jointsOf({});
  const measured = t.map((at, i) => {
    held = sent[Math.max(0, i - LAG)] ?? held;
    return held.map((angle, joint) => round(angle + 0.0008 * Math.sin(at * 37 + joint * 5)));
  });
  return { t, measured, sent };
}

function jointsOf({ z = 0, roll = 0, pitch = 0, yaw = 0, body = 0, antennas = [-0.1, 0.1] }: TargetPose): number[] {
  const solved = inverseKinematics(poseFromRpy([0, 0, z], { roll, pitch, yaw }), body);
  if (solved.status !== "reachable")
    throw new Error(`No robot looks like ${JSON.stringify({ z, roll, pitch, yaw, body })}.`);
  return [body, ...solved.stewart, ...antennas].map(round);
}

/** JSON has no negative zero. */
const round = (value: number) => Number(value.toFixed(4)) + 0;
