import { forwardKinematics } from "../../../../robot/kinematics/forward.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { PublicMessage } from "../../../../robot/wire/robot/sdk-messages.ts";
import type { Target } from "../../../../robot/wire/robot/target.ts";

/** Messages that have a target. */
const TARGETS = [
  "set_full_target",
  "set_target",
  "set_antennas",
  "set_body_yaw",
  "set_head_joints",
  "task",
] as const satisfies readonly PublicMessage["type"][];
type TargetMessage = Extract<PublicMessage, { type: (typeof TARGETS)[number] }>;

export const hasTarget = (message: PublicMessage): message is TargetMessage =>
  (TARGETS as readonly string[]).includes(message.type);

/**
 * The target of a message.
 * @throws WorkbenchError `target-refused` for joint angles that belong to no head pose
 */
export function targetOfMessage(message: TargetMessage): Target {
  switch (message.type) {
    case "set_full_target":
      return toTarget(message);
    case "task":
      return toTarget(message.req);
    case "set_target":
      return { head: message.head };
    case "set_antennas":
      return { antennas: message.antennas };
    case "set_body_yaw":
      return { bodyYaw: message.body_yaw };
    case "set_head_joints":
      return targetFromJoints(message.joints);
  }
}

interface WireTarget {
  head?: number[] | null | undefined;
  antennas?: [number, number] | null | undefined;
  body_yaw?: number | null | undefined;
}

const toTarget = ({ head, antennas, body_yaw }: WireTarget): Target => ({
  head: head ?? null,
  antennas: antennas ?? null,
  bodyYaw: body_yaw ?? null,
});

type HeadJoints = Extract<PublicMessage, { type: "set_head_joints" }>["joints"];

/** @param joints body_yaw, stewart_1 .. stewart_6; radians */
function targetFromJoints([bodyYaw, ...stewart]: HeadJoints): Target {
  const head = forwardKinematics(stewart, bodyYaw);
  if (head !== undefined) return { head, bodyYaw };
  throw new WorkbenchError(
    "target-refused",
    `The head joints ${stewart.join(", ")} rad belong to no head pose; send angles that a pose can have.`,
  );
}
