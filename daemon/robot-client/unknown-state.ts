import { DEFAULT_POSE } from "../../robot/description/poses.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";

/** The state of a robot that has not reported any yet: all joints at zero. `timestamp` in seconds since the Unix epoch. */
export function unknownState(timestamp: number): RobotState {
  return {
    timestamp,
    phase: "not_initialized",
    motorMode: "disabled",
    awake: false,
    headJoints: [0, 0, 0, 0, 0, 0, 0],
    antennas: [0, 0],
    headPose: DEFAULT_POSE.head,
    sent: null,
    imu: null,
    move: null,
    loop: { frequencyHz: 0, periodP50Ms: 0, periodP99Ms: 0, missed: 0, busErrors: 0 },
    error: null,
  };
}
