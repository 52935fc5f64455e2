import { z } from "zod";
import type { Pose } from "../../../robot/description/frames.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { positionOf, rpyOf } from "../../../robot/kinematics/pose.ts";
import { Antennas, MotorMode, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { type Route, route } from "../rest/route.ts";

const FullState = z.object({
  control_mode: MotorMode,
  head_pose: XyzRpy,
  head_joints: z.array(z.number()).describe("body_yaw, stewart_1 .. stewart_6; radians"),
  body_yaw: z.number(),
  antennas_position: Antennas,
  timestamp: z.iso.datetime(),
  passive_joints: z.null(),
  doa: z.null(),
  target: z
    .object({ head_joints: z.array(z.number()), antennas_position: Antennas })
    .nullable()
    .describe("The targets that were sent to the servos, after all limits; null while the motors are off"),
});

/** Routes for the robot's measured state. */
export function stateRoutes(robot: Robot): Route[] {
  const headPose = (): XyzRpy => {
    const pose = robot.state.headPose as Pose;
    const [x, y, z] = positionOf(pose);
    return { x, y, z, ...rpyOf(pose) };
  };
  return [
    route({
      method: "get",
      path: "/api/state/full",
      summary: "The measured state and the targets that were last sent to the servos",
      tag: "robot",
      result: FullState,
      errors: [],
      handle: () => {
        const { state } = robot;
        return {
          control_mode: state.motorMode,
          head_pose: headPose(),
          head_joints: state.headJoints,
          body_yaw: state.headJoints[0] ?? 0,
          antennas_position: state.antennas,
          timestamp: new Date(state.timestamp * 1000).toISOString(),
          passive_joints: null,
          doa: null,
          target: state.sent && { head_joints: state.sent.headJoints, antennas_position: state.sent.antennas },
        };
      },
    }),
    route({
      method: "get",
      path: "/api/state/present_head_pose",
      summary: "The head pose from the measured joints",
      tag: "robot",
      result: XyzRpy,
      errors: [],
      handle: headPose,
    }),
    route({
      method: "get",
      path: "/api/state/present_body_yaw",
      summary: "The measured body yaw, radians",
      tag: "robot",
      result: z.number(),
      errors: [],
      handle: () => robot.state.headJoints[0] ?? 0,
    }),
    route({
      method: "get",
      path: "/api/state/present_antenna_joint_positions",
      summary: "The measured antennas: right, left; radians",
      tag: "robot",
      result: Antennas,
      errors: [],
      handle: () => robot.state.antennas,
    }),
    route({
      method: "get",
      path: "/api/kinematics/info",
      summary: "The joints with their limits",
      tag: "robot",
      result: z.object({
        joints: z.array(z.object({ name: z.string(), lower: z.number(), upper: z.number() })),
      }),
      errors: [],
      handle: () => ({ joints: JOINTS.map(({ name, range: [lower, upper] }) => ({ name, lower, upper })) }),
    }),
  ];
}
