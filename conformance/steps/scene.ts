import { INIT } from "../../robot/description/poses.ts";
import { inverseKinematics } from "../../robot/kinematics/inverse.ts";
import type { Scene } from "./world.ts";

export type { Scene } from "./world.ts";

/** All nine joint angles as the servos report them: body_yaw, stewart_1 .. stewart_6, right and left antenna. */
export async function measured(scene: Scene): Promise<number[]> {
  const state = await scene.get<{ head_joints: number[]; antennas_position: number[] }>("/api/state/full");
  return [...state.head_joints, ...state.antennas_position];
}

/** The nine joint angles of the default position. */
export function defaultJoints(): number[] {
  const legs = inverseKinematics(INIT.head, INIT.bodyYaw);
  if (legs.status !== "reachable") throw new Error(`the default pose is ${legs.status}`);
  return [INIT.bodyYaw, ...legs.stewart, ...INIT.antennas];
}
