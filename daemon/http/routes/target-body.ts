import { z } from "zod";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { Angle, Matrix16 } from "../../../robot/wire/quantities.ts";
import { Antennas, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";

const HeadPose = z
  .union([z.object({ m: Matrix16 }).transform(({ m }) => m), XyzRpy, Matrix16])
  .describe(
    "Head pose: x, y, z in metres with roll, pitch, yaw in radians, or 16 numbers of a row-major 4x4 matrix, alone or as `m`",
  );

/** A target as `goto` takes it. */
export const TargetBody = z.object({
  head_pose: HeadPose.nullish(),
  antennas: Antennas.nullish().describe("Right and left antenna, radians"),
  body_yaw: Angle.nullish().describe("Radians"),
});

/** A target as `set_target` takes it: with our name of each field, or with the public daemon's. */
export const SetTargetBody = TargetBody.extend({
  target_head_pose: HeadPose.nullish().describe("The public daemon's name for head_pose"),
  target_antennas: Antennas.nullish().describe("The public daemon's name for antennas"),
  target_body_yaw: Angle.nullish().describe("The public daemon's name for body_yaw"),
  timestamp: z.string().nullish().describe("Taken from clients of the public daemon, and not used"),
});

/** The target for the robot that a body means; null for what it leaves out. */
export function targetOf(body: Partial<z.output<typeof SetTargetBody>>) {
  const head = body.head_pose ?? body.target_head_pose;
  return {
    head: head == null ? null : Array.isArray(head) ? head : [...poseFromRpy([head.x, head.y, head.z], head)],
    antennas: body.antennas ?? body.target_antennas ?? null,
    bodyYaw: body.body_yaw ?? body.target_body_yaw ?? null,
  };
}
