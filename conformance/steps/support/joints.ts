import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { inverseKinematics } from "../../../robot/kinematics/inverse.ts";

/** Whatever answers GET requests as the daemon does. */
interface StateSource {
  get<T>(path: string): Promise<T>;
}

/** All nine joint angles as the servos report them: body_yaw, stewart_1 .. stewart_6, right and left antenna. */
export async function measured(daemon: StateSource): Promise<number[]> {
  const state = await daemon.get<{ head_joints: number[]; antennas_position: number[] }>(
    "/api/state/full?with_head_joints=true",
  );
  return [...state.head_joints, ...state.antennas_position];
}

/** Radians by which gravity and the servos' resolution may keep a joint from its target. */
const TOLERANCE = 0.05;

/** Radians by which the joint that is farthest from it is off the default position. */
export async function defaultPoseError(daemon: StateSource): Promise<number> {
  const wanted = defaultJoints();
  return Math.max(...(await measured(daemon)).map((angle, joint) => Math.abs(angle - (wanted[joint] ?? 0))));
}

/** Whether all joints are at the default position. */
export const isAtDefault = async (daemon: StateSource): Promise<boolean> =>
  (await defaultPoseError(daemon)) < TOLERANCE;

/** The nine joint angles of the default position. */
function defaultJoints(): number[] {
  const legs = inverseKinematics(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw);
  if (legs.status !== "reachable") throw new Error(`the default pose is ${legs.status}`);
  return [DEFAULT_POSE.bodyYaw, ...legs.stewart, ...DEFAULT_POSE.antennas];
}
