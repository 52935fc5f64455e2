import { INIT } from "../../robot/description/poses.ts";
import type { Body } from "./body.ts";
import type { RobotState } from "./robot.ts";

/** The state of a robot that was never seen: everything at zero. `timestamp` in seconds since the Unix epoch. */
export function blankState(timestamp: number): RobotState {
  return {
    timestamp,
    phase: "not_initialized",
    motorMode: "disabled",
    awake: false,
    headJoints: [0, 0, 0, 0, 0, 0, 0],
    antennas: [0, 0],
    headPose: INIT.head,
    sent: null,
    move: null,
    loop: { frequencyHz: 0, periodP50Ms: 0, periodP99Ms: 0, missed: 0, busErrors: 0 },
    error: null,
  };
}

/** What a connected robot says of its joints. */
export function measuredState(
  body: Body,
): Pick<RobotState, "motorMode" | "headJoints" | "antennas" | "headPose" | "sent"> {
  const { servos, motors } = body;
  const { mode } = motors;
  return {
    motorMode: mode,
    ...byPart(servos.position),
    headPose: body.measure().head,
    sent: mode === "enabled" ? byPart(motors.sent) : null,
  };
}

function byPart(joints: ArrayLike<number>): { headJoints: number[]; antennas: [number, number] } {
  const all = Array.from(joints);
  return { headJoints: all.slice(0, 7), antennas: [all[7] ?? 0, all[8] ?? 0] };
}
