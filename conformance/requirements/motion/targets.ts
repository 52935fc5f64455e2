import type { z } from "zod";
import { AnyTarget, Target, targetOf } from "../../../daemon/http/routes/motion.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { forwardKinematics } from "../../../robot/kinematics/forward.ts";
import type { MotionTarget } from "../../../robot/motion/limits/motion-target.ts";
import { ClientMessage } from "../../../robot/wire/robot/sdk-messages.ts";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import { parseLoosely } from "../../evidence/parse-loosely.ts";

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

const REST_GOTO = "/api/move/goto";
const PUBLIC_SOCKET = "/api/move/ws/set_target";
/** What takes targets besides the SDK socket, and what each reads. */
const REST_TARGETS: Readonly<Record<string, typeof Target | typeof AnyTarget>> = {
  [REST_GOTO]: Target,
  "/api/move/set_target": AnyTarget,
  [PUBLIC_SOCKET]: AnyTarget,
};

/** Reads the targets of a run in order, from the SDK socket, from REST and from the public daemon's socket. Other commands (torque, waking up) are left out. */
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
  const schema = REST_TARGETS[command.kind];
  if (schema !== undefined) return readRest(command, schema);
  if (command.kind.startsWith("/")) return null;
  const read = ClientMessage.safeParse(parseLoosely(command.text));
  if (!read.success) return { why: firstIssue(read.error) };
  const parts = partsOf(read.data);
  return parts === null ? null : { parts, isGoto: read.data.type === "task" };
}

function readRest({ kind, text }: Command, schema: typeof Target | typeof AnyTarget): ReadCommand {
  const read = schema.safeParse(parseLoosely(text));
  if (!read.success) return { why: firstIssue(read.error) };
  const { head, antennas, bodyYaw } = targetOf(read.data);
  const { bodyYaw: yaw, ...others } = fullTarget({ head, antennas, body_yaw: bodyYaw });
  // This socket keeps the body where it is when the message leaves it out.
  const parts = kind === PUBLIC_SOCKET && bodyYaw === null ? others : { ...others, bodyYaw: yaw ?? null };
  return { parts, isGoto: kind === REST_GOTO };
}

const firstIssue = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join(".")} ${issue?.message}`.trim();

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
