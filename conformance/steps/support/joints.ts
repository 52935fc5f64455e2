import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { DEFAULT_JOINTS } from "../../runner/observe/default-pose.ts";
import { DEFAULT_POSE_TOLERANCE } from "../../test-runs/limits.ts";

/** Whatever answers GET requests as the daemon does. */
interface StateSource {
  get<T>(path: string): Promise<T>;
}

/** Joint angles of the robot, radians; `target` is null while the motors are off. */
export interface FullState {
  head_joints: number[];
  antennas_position: number[];
  target: { head_joints: number[]; antennas_position: number[] } | null;
}

/** All nine joint angles as the servos report them: body_yaw, stewart_1 .. stewart_6, right and left antenna. */
export async function measured(daemon: StateSource): Promise<number[]> {
  const state = await daemon.get<FullState>("/api/state/full?with_head_joints=true");
  return [...state.head_joints, ...state.antennas_position];
}

/** Radians by which the joint that is farthest from it is off the default position. */
export async function defaultPoseError(daemon: StateSource): Promise<number> {
  return Math.max(...(await measured(daemon)).map((angle, joint) => Math.abs(angle - (DEFAULT_JOINTS[joint] ?? 0))));
}

/** Waits until no joint has moved for some milliseconds. */
export async function waitUntilStill(daemon: StateSource, stillMs: number): Promise<void> {
  let [before, since] = [await measured(daemon), performance.now()];
  await waitFor(DEADLINE_MS, "the robot stands still", async () => {
    const joints = await measured(daemon);
    const moved = joints.some((angle, joint) => Math.abs(angle - (before[joint] ?? 0)) > 0.01);
    if (moved) [before, since] = [joints, performance.now()];
    return performance.now() - since > stillMs;
  });
}

/** Whether all joints are at the default position. */
export const isAtDefault = async (daemon: StateSource): Promise<boolean> =>
  (await defaultPoseError(daemon)) < DEFAULT_POSE_TOLERANCE;
