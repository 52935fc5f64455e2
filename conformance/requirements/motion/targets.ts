import { INIT } from "../../../robot/description/poses.ts";
import { forwardKinematics } from "../../../robot/kinematics/forward.ts";
import type { Request } from "../../../robot/motion/request.ts";
import { ClientMessage } from "../../../robot/wire/sdk-messages.ts";
import type { Command, Run } from "../../evidence/run.ts";

/** A target as the app sent it, with all that it had asked for before filled in. */
export interface AskedTarget {
  /** Seconds from the scene's start. */
  t: number;
  /** True for a goto, which the daemon makes smooth. */
  isMove: boolean;
  request: Request;
}

/** A command that names no target that a robot could go to. */
export interface Unreadable {
  t: number;
  why: string;
}

/** Reads what a run has sent, in order. Commands that are no targets (torque, waking up) are left out. */
export function targetsOf({ commands }: Run): { targets: AskedTarget[]; unreadable: Unreadable[] } {
  const targets: AskedTarget[] = [];
  const unreadable: Unreadable[] = [];
  let last: Request = { ...INIT, bodyYaw: null, automaticBodyYaw: true };
  for (const command of commands) {
    if (command.text === "") continue;
    const read = ClientMessage.safeParse(jsonOf(command));
    if (!read.success) {
      const [{ path, message } = { path: [], message: "" }] = read.error.issues;
      unreadable.push({ t: command.t, why: `${command.kind}: ${path.join(".")} ${message}` });
      continue;
    }
    const asked = partsOf(read.data);
    if (asked === null) continue;
    last = { ...last, ...asked };
    targets.push({ t: command.t, isMove: read.data.type === "task", request: last });
  }
  return { targets, unreadable };
}

/** NaN and Infinity, which are no JSON, become null and are told of by the schema. */
function jsonOf({ text }: Command): unknown {
  try {
    return JSON.parse(text.replace(/\b(?:NaN|-?Infinity)\b/g, "null"));
  } catch {
    return undefined;
  }
}

function partsOf(message: ClientMessage): Partial<Request> | null {
  switch (message.type) {
    case "set_full_target":
      return given(message);
    case "task":
      return given(message.req);
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

interface Given {
  head?: number[] | null | undefined;
  antennas?: [number, number] | null | undefined;
  body_yaw?: number | null | undefined;
}

const given = ({ head, antennas, body_yaw }: Given): Partial<Request> => ({
  ...(head ? { head } : {}),
  ...(antennas ? { antennas } : {}),
  bodyYaw: body_yaw ?? null,
});
