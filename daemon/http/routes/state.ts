import { z } from "zod";
import type { Pose } from "../../../robot/description/frames.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { robotUrdf } from "../../../robot/description/urdf.ts";
import { InertialReading } from "../../../robot/wire/robot/inertial-reading.ts";
import { Antennas } from "../../../robot/wire/robot/robot-fields.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { type Route, routesOf } from "../rest/route.ts";
import { AnyPose, FullState, FullStateQuery, fullState, PoseQuery, poseInForm } from "../state/full-state.ts";

const { get } = routesOf("robot");

/** Routes for the robot's measured state. */
export function stateRoutes(robot: Robot): Route[] {
  return [
    get("/api/state/full", {
      summary: "The measured state and the targets that were last sent to the servos",
      query: FullStateQuery,
      result: FullState,
      handle: ({ query }) => fullState(robot.state, query),
    }),
    get("/api/state/present_head_pose", {
      summary: "The head pose from the measured joints",
      query: PoseQuery,
      result: AnyPose,
      handle: ({ query }) => poseInForm(robot.state.headPose as Pose, query.use_pose_matrix),
    }),
    get("/api/state/present_body_yaw", {
      summary: "The measured body yaw, radians",
      result: z.number(),
      handle: () => robot.state.headJoints[0] ?? 0,
    }),
    get("/api/state/present_antenna_joint_positions", {
      summary: "The measured antennas: right, left; radians",
      result: Antennas,
      handle: () => robot.state.antennas,
    }),
    get("/api/state/doa", {
      summary: "The direction that sound comes from; null, since the robot here has one microphone",
      result: z.null(),
      handle: () => null,
    }),
    get("/api/state/imu", {
      summary: "The inertial sensor in the wireless robot's head; null for a robot without one",
      result: InertialReading.nullable(),
      handle: () => robot.state.imu,
    }),
    get("/api/kinematics/info", {
      summary: "The joints with their limits",
      result: z.object({
        joints: z.array(z.object({ name: z.string(), lower: z.number(), upper: z.number() })),
      }),
      handle: () => ({ joints: JOINTS.map(({ name, range: [lower, upper] }) => ({ name, lower, upper })) }),
    }),
    get("/api/kinematics/urdf", {
      summary: "The robot as URDF: masses, joints, limits and frames, without shapes",
      result: z.object({ urdf: z.string() }),
      handle: () => ({ urdf: robotUrdf() }),
    }),
  ];
}
