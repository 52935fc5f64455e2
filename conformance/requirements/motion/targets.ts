import { z } from "zod";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { forwardKinematics } from "../../../robot/kinematics/forward.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { MotionTarget } from "../../../robot/motion/limits/motion-target.ts";
import { Angle, Matrix16 } from "../../../robot/wire/quantities.ts";
import { Antennas, XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import { ClientMessage } from "../../../robot/wire/robot/sdk-messages.ts";
import type { AppRun, Command } from "../../evidence/app-run.ts";

/** A target that the app sent; what it left out is as in the target before. */
export interface SentTarget {
  /** Seconds from the start of the test run. */
  t: number;
  /** True for a goto, which the daemon makes smooth. */
  isGoto: boolean;
  target: MotionTarget;
}

/** A command that cannot be parsed as a target. */
export interface InvalidTarget {
  t: number;
  why: string;
}

/** The body of POST /api/move/goto and /api/move/set_target. */
const RestTarget = z.object({
  head_pose: z.union([XyzRpy, Matrix16]).nullish(),
  antennas: Antennas.nullish(),
  body_yaw: Angle.nullish(),
});

const REST_GOTO = "/api/move/goto";
const REST_TARGETS = [REST_GOTO, "/api/move/set_target"];

/** Reads the targets of a run in order, from the SDK socket and from REST. Other commands (torque, waking up) are left out. */
export function targetsOf({ commands }: AppRun): { targets: SentTarget[]; invalid: InvalidTarget[] } {
  const targets: SentTarget[] = [];
  const invalid: InvalidTarget[] = [];
  let last: MotionTarget = { ...DEFAULT_POSE, bodyYaw: null, automaticBodyYaw: true };
  for (const command of commands) {
    const read = readCommand(command);
    if (read === null) continue;
    if ("why" in read) {
      invalid.push({ t: command.t, why: `${command.kind}: ${read.why}` });
      continue;
    }
    last = { ...last, ...read.parts };
    targets.push({ t: command.t, isGoto: read.isGoto, target: last });
  }
  return { targets, invalid };
}

type ReadCommand = { parts: Partial<MotionTarget>; isGoto: boolean } | { why: string } | null;

function readCommand(command: Command): ReadCommand {
  if (command.kind.startsWith("/")) return REST_TARGETS.includes(command.kind) ? readRest(command) : null;
  const read = ClientMessage.safeParse(parseLoosely(command));
  if (!read.success) return { why: firstIssue(read.error) };
  const parts = partsOf(read.data);
  return parts === null ? null : { parts, isGoto: read.data.type === "task" };
}

function readRest(command: Command): ReadCommand {
  const read = RestTarget.safeParse(parseLoosely(command));
  if (!read.success) return { why: firstIssue(read.error) };
  const { head_pose: pose, ...others } = read.data;
  const head = pose && !Array.isArray(pose) ? [...poseFromRpy([pose.x, pose.y, pose.z], pose)] : pose;
  return { parts: fullTarget({ head, ...others }), isGoto: command.kind === REST_GOTO };
}

const firstIssue = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join(".")} ${issue?.message}`.trim();

/** NaN and Infinity, which JSON does not have, become null, so that the schema names the field. */
function parseLoosely({ text }: Command): unknown {
  try {
    return JSON.parse(text.replace(/\b(?:NaN|-?Infinity)\b/g, "null"));
  } catch {
    return undefined;
  }
}

function partsOf(message: ClientMessage): Partial<MotionTarget> | null {
  switch (message.type) {
    case "set_full_target":
      return fullTarget(message);
    case "task":
      return fullTarget(message.req);
    case "set_target":
      return { head: message.head };
    case "set_antennas":
      return { antennas: message.antennas };
    case "set_body_yaw":
      return { bodyYaw: message.body_yaw };
    case "set_head_joints": {
      const [bodyYaw, ...stewart] = message.joints;
      const head = forwardKinematics(stewart, bodyYaw);
      return head === null || head === undefined ? null : { head, bodyYaw };
    }
    default:
      return null;
  }
}

interface FullTarget {
  head?: number[] | null | undefined;
  antennas?: [number, number] | null | undefined;
  body_yaw?: number | null | undefined;
}

const fullTarget = ({ head, antennas, body_yaw }: FullTarget): Partial<MotionTarget> => ({
  ...(head ? { head } : {}),
  ...(antennas ? { antennas } : {}),
  bodyYaw: body_yaw ?? null,
});
