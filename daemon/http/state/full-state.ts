import { z } from "zod";
import type { Pose, SixLegs } from "../../../robot/description/frames.ts";
import { forwardKinematics } from "../../../robot/kinematics/forward.ts";
import { positionOf, rpyOf } from "../../../robot/kinematics/pose.ts";
import { InertialReading } from "../../../robot/wire/robot/inertial-reading.ts";
import { Antennas, MotorMode, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";

/** A head pose in either form. */
export const AnyPose = z
  .union([XyzRpy, z.object({ m: z.array(z.number()).length(16) })])
  .describe("x, y, z in metres with roll, pitch, yaw in radians; or `m`, 16 numbers of a row-major 4x4 matrix");
type AnyPose = z.infer<typeof AnyPose>;

/** Every field of the public daemon; null where it was not asked for, or where the robot has none. */
export const FullState = z.object({
  control_mode: MotorMode.nullable(),
  head_pose: AnyPose.nullable(),
  target_head_pose: AnyPose.nullable(),
  head_joints: z.array(z.number()).nullable().describe("body_yaw, stewart_1 .. stewart_6; radians"),
  target_head_joints: z.array(z.number()).nullable(),
  body_yaw: z.number().nullable(),
  target_body_yaw: z.number().nullable(),
  antennas_position: Antennas.nullable(),
  target_antennas_position: Antennas.nullable(),
  timestamp: z.iso.datetime(),
  passive_joints: z.null(),
  doa: z.null().describe("Direction of the sound; null, since the robot here has one microphone"),
  imu: InertialReading.nullable().describe("Null for a robot without an inertial sensor"),
  target: z
    .object({ head_joints: z.array(z.number()), antennas_position: Antennas })
    .nullable()
    .describe("The targets that were sent to the servos, after all limits; null while the motors are off"),
});
export type FullState = z.infer<typeof FullState>;

const flag = (fallback: boolean) => z.stringbool().default(fallback);

export const PoseQuery = z.object({
  use_pose_matrix: flag(false).describe("The head pose as a matrix instead of position and angles"),
});

/** What the answer holds. The measured fields are there unless they are refused, the targets when they are asked for. */
export const FullStateQuery = PoseQuery.extend({
  with_control_mode: flag(true),
  with_head_pose: flag(true),
  with_target_head_pose: flag(false),
  with_head_joints: flag(true),
  with_target_head_joints: flag(false),
  with_body_yaw: flag(true),
  with_target_body_yaw: flag(false),
  with_antenna_positions: flag(true),
  with_target_antenna_positions: flag(false),
  with_passive_joints: flag(false),
  with_doa: flag(false),
  with_imu: flag(false),
});
export type FullStateQuery = z.infer<typeof FullStateQuery>;

/** A head pose in the form that a request asks for. */
export function poseInForm(pose: Pose, useMatrix: boolean): AnyPose {
  if (useMatrix) return { m: [...pose] };
  const [x, y, z] = positionOf(pose);
  return { x, y, z, ...rpyOf(pose) };
}

/** The measured state and the targets that were last sent, with the fields that a request asks for. */
export function fullState(state: RobotState, query: FullStateQuery): FullState {
  const { sent } = state;
  const inForm = (pose: Pose) => poseInForm(pose, query.use_pose_matrix);
  const sentPose = () => {
    if (sent === null) return null;
    const [bodyYaw = 0, ...stewart] = sent.headJoints;
    const pose = forwardKinematics(stewart as unknown as SixLegs, bodyYaw, state.headPose as Pose);
    return pose === undefined ? null : inForm(pose);
  };
  const when = <T>(asked: boolean, value: () => T | null): T | null => (asked ? value() : null);
  return {
    control_mode: when(query.with_control_mode, () => state.motorMode),
    head_pose: when(query.with_head_pose, () => inForm(state.headPose as Pose)),
    target_head_pose: when(query.with_target_head_pose, sentPose),
    head_joints: when(query.with_head_joints, () => [...state.headJoints]),
    target_head_joints: when(query.with_target_head_joints, () => sent && [...sent.headJoints]),
    body_yaw: when(query.with_body_yaw, () => state.headJoints[0] ?? 0),
    target_body_yaw: when(query.with_target_body_yaw, () => sent?.headJoints[0] ?? null),
    antennas_position: when(query.with_antenna_positions, () => pairOf(state.antennas)),
    target_antennas_position: when(query.with_target_antenna_positions, () => sent && pairOf(sent.antennas)),
    timestamp: new Date(state.timestamp * 1000).toISOString(),
    passive_joints: null,
    doa: null,
    imu: when(query.with_imu, () => state.imu),
    target: sent && { head_joints: [...sent.headJoints], antennas_position: pairOf(sent.antennas) },
  };
}

const pairOf = ([right, left]: RobotState["antennas"]): [number, number] => [right, left];
