import { z } from "zod";
import type { Pose } from "../../../robot/description/frames.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { robotUrdf } from "../../../robot/description/urdf.ts";
import { InertialReading } from "../../../robot/wire/robot/inertial-reading.ts";
import { Antennas } from "../../../robot/wire/robot/robot-fields.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { defineRoute, type Route } from "../rest/route.ts";
import { AnyPose, FullState, FullStateQuery, fullState, PoseQuery, poseInForm } from "../state/full-state.ts";

/** Routes for the robot's measured state. */
export function stateRoutes(robot: Robot): Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/api/state/full",
      summary: "The measured state and the targets that were last sent to the servos",
      tag: "robot",
      query: FullStateQuery,
      result: FullState,
      errors: [],
      handle: ({ query }) => fullState(robot.state, query),
    }),
    defineRoute({
      method: "get",
      path: "/api/state/present_head_pose",
      summary: "The head pose from the measured joints",
      tag: "robot",
      query: PoseQuery,
      result: AnyPose,
      errors: [],
      handle: ({ query }) => poseInForm(robot.state.headPose as Pose, query.use_pose_matrix),
    }),
    defineRoute({
      method: "get",
      path: "/api/state/present_body_yaw",
      summary: "The measured body yaw, radians",
      tag: "robot",
      result: z.number(),
      errors: [],
      handle: () => robot.state.headJoints[0] ?? 0,
    }),
    defineRoute({
      method: "get",
      path: "/api/state/present_antenna_joint_positions",
      summary: "The measured antennas: right, left; radians",
      tag: "robot",
      result: Antennas,
      errors: [],
      handle: () => robot.state.antennas,
    }),
    defineRoute({
      method: "get",
      path: "/api/state/doa",
      summary: "The direction that sound comes from; null, since the robot here has one microphone",
      tag: "robot",
      result: z.null(),
      errors: [],
      handle: () => null,
    }),
    defineRoute({
      method: "get",
      path: "/api/state/imu",
      summary: "The inertial sensor in the wireless robot's head; null for a robot without one",
      tag: "robot",
      result: InertialReading.nullable(),
      errors: [],
      handle: () => robot.state.imu,
    }),
    defineRoute({
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
    defineRoute({
      method: "get",
      path: "/api/kinematics/urdf",
      summary: "The robot as URDF: masses, joints, limits and frames, without shapes",
      tag: "robot",
      result: z.object({ urdf: z.string() }),
      errors: [],
      handle: () => ({ urdf: robotUrdf() }),
    }),
  ];
}
