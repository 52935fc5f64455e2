import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { inverseKinematics } from "../../../robot/kinematics/inverse.ts";
import type { ScenarioWorld } from "./scenario-world.ts";

export type { ScenarioWorld } from "./scenario-world.ts";

/** All nine joint angles as the servos report them: body_yaw, stewart_1 .. stewart_6, right and left antenna. */
export async function measured(world: ScenarioWorld): Promise<number[]> {
  const state = await world.get<{ head_joints: number[]; antennas_position: number[] }>(
    "/api/state/full?with_head_joints=true",
  );
  return [...state.head_joints, ...state.antennas_position];
}

/** The nine joint angles of the default position. */
export function defaultJoints(): number[] {
  const legs = inverseKinematics(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw);
  if (legs.status !== "reachable") throw new Error(`the default pose is ${legs.status}`);
  return [DEFAULT_POSE.bodyYaw, ...legs.stewart, ...DEFAULT_POSE.antennas];
}
