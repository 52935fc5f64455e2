import type { z } from "zod";
import { SetTargetBody, TargetBody, targetOf } from "../../../daemon/http/routes/target-body.ts";
import { hasTarget, targetOfMessage } from "../../../daemon/http/sockets/sdk/target-of-message.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { initialState, limitTarget } from "../../../robot/motion/limits/limit-target.ts";
import type { MotionTarget } from "../../../robot/motion/limits/motion-target.ts";
import { problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import { ClientMessage, PublicMessage } from "../../../robot/wire/robot/sdk-messages.ts";
import type { Target } from "../../../robot/wire/robot/target.ts";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import { parsePythonJson } from "../../evidence/parse-python-json.ts";
import { oncePerRun } from "./once-per-run.ts";

/** What a target sets. */
const PARTS = ["head", "antennas", "bodyYaw"] as const;

/** A target that the app sent; what it left out is as in the target before. */
export interface SentTarget {
  /** Seconds from the start of the test run. */
  t: number;
  /** True for a goto, which the daemon makes smooth. */
  isGoto: boolean;
  target: MotionTarget;
  /** What it did not leave out. */
  parts: readonly (typeof PARTS)[number][];
}

/** A command that cannot be parsed as a target. */
interface InvalidTarget {
  t: number;
  why: string;
}

const REST_GOTO = "/api/move/goto";
const PUBLIC_SOCKET = "/api/move/ws/set_target";
type BodySchema = typeof TargetBody | typeof SetTargetBody;

/** What takes targets besides the SDK socket, and what each reads. */
const BODIES: Readonly<Record<string, BodySchema>> = {
  [REST_GOTO]: TargetBody,
  "/api/move/set_target": SetTargetBody,
  [PUBLIC_SOCKET]: SetTargetBody,
};

/** What a run sent, in order. */
interface SentTargets {
  readonly targets: readonly SentTarget[];
  /** Offsets that the daemon adds to each head pose, as targets from the default pose. */
  readonly offsets: readonly SentTarget[];
  readonly invalid: readonly InvalidTarget[];
}

/**
 * Reads the targets of a run in order, as the daemon reads them: from the SDK socket by the protocol of its client, from
 * REST, and from the public daemon's socket. Other commands (torque, waking up) are left out. Read once for each run, since
 * several requirements ask for them, after the test run and at the end.
 */
export const targetsOf = oncePerRun(readTargets);

function readTargets({ commands }: AppRun): SentTargets {
  const targets: SentTarget[] = [];
  const offsets: SentTarget[] = [];
  const invalid: InvalidTarget[] = [];
  const completer = new TargetCompleter();
  for (const command of commands) {
    const { t, kind } = command;
    const read = readCommand(command);
    if (read.is === "invalid") invalid.push({ t, why: `${kind}: ${read.why}` });
    if (read.is === "body-yaw-setting") completer.automaticBodyYaw = read.isAutomatic;
    if (read.is === "offset") offsets.push({ t, isGoto: false, target: read.target, parts: ["head"] });
    if (read.is === "target") {
      const { target, isGoto } = read;
      const parts = PARTS.filter((part) => (target[part] ?? null) !== null);
      targets.push({ t, isGoto, target: completer.complete(target), parts });
    }
  }
  return { targets, offsets, invalid };
}

/** Seconds in which targets of different parts count as one: a period of the control loop. */
const TOGETHER = 0.01;

/**
 * The targets, those of different parts that come together as one at the time of the first: `play_move` of the public SDK sends
 * head, body and antennas one after the other, and the daemon merges them.
 */
export function mergeParts(targets: readonly SentTarget[]): SentTarget[] {
  const merged: SentTarget[] = [];
  for (const next of targets) {
    const last = merged.at(-1);
    if (last === undefined || !isTogether(last, next)) merged.push(next);
    else merged.splice(-1, 1, together(last, next));
  }
  return merged;
}

/** A target that sets nothing is one of its own, because any number of them would fit together. */
function isTogether(one: SentTarget, other: SentTarget): boolean {
  if (one.isGoto || other.isGoto || one.parts.length === 0 || other.parts.length === 0) return false;
  return other.t - one.t <= TOGETHER && !other.parts.some((part) => one.parts.includes(part));
}

/** The later target has what the earlier one set, except its yaw: a target without one releases the body. */
function together(one: SentTarget, other: SentTarget): SentTarget {
  const { bodyYaw } = one.parts.includes("bodyYaw") ? one.target : other.target;
  return { ...other, t: one.t, target: { ...other.target, bodyYaw }, parts: [...one.parts, ...other.parts] };
}

/** Completes targets by the ones before, as the daemon's control loop does. */
class TargetCompleter {
  automaticBodyYaw = true;
  #last: MotionTarget = { ...DEFAULT_POSE, bodyYaw: null, automaticBodyYaw: true };
  #state = initialState(JOINTS.map(() => 0));

  complete({ head, antennas, bodyYaw, keepsBodyYaw }: Target): MotionTarget {
    const { automaticBodyYaw } = this;
    const requested: MotionTarget = {
      head: head ?? this.#last.head,
      antennas: antennas ?? this.#last.antennas,
      bodyYaw: bodyYaw ?? (keepsBodyYaw === true ? this.#last.bodyYaw : null),
      automaticBodyYaw,
      ...(keepsBodyYaw === true ? { bodyYawYields: true } : {}),
    };
    this.#last = requested;
    const body = this.#bodyYawAfter(requested);
    // Without a yaw, the body stays where the targets before have turned it.
    return requested.bodyYaw === null && !automaticBodyYaw ? { ...requested, bodyYaw: body } : requested;
  }

  /** Radians. A target that the daemon refuses does not turn the body. */
  #bodyYawAfter(target: MotionTarget): number {
    try {
      this.#state = limitTarget(target, this.#state, Number.POSITIVE_INFINITY).state;
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
    }
    return this.#state.aims[0] as number;
  }
}

type ReadCommand =
  | { is: "target"; target: Target; isGoto: boolean }
  | { is: "offset"; target: MotionTarget }
  | { is: "body-yaw-setting"; isAutomatic: boolean }
  | { is: "invalid"; why: string }
  /** For example of torque. */
  | { is: "other" };

function readCommand(command: Command): ReadCommand {
  const schema = BODIES[command.kind];
  if (schema !== undefined) return readBody(command, schema);
  return command.kind.startsWith("/") ? { is: "other" } : readMessage(command);
}

function readMessage({ text, isPublic }: Command): ReadCommand {
  const { data, error } = (isPublic ? PublicMessage : ClientMessage).safeParse(parsePythonJson(text));
  if (error !== undefined) return { is: "invalid", why: firstIssue(error) };
  if (data.type === "set_automatic_body_yaw") return { is: "body-yaw-setting", isAutomatic: data.enabled };
  if (data.type === "set_speech_offsets") return { is: "offset", target: withHeadOffset(data.offsets) };
  if (!hasTarget(data)) return { is: "other" };
  try {
    const target = targetOfMessage(data);
    const isGoto = data.type === "task";
    return { is: "target", target: isPublic ? { ...target, keepsBodyYaw: true } : target, isGoto };
  } catch (error) {
    return { is: "invalid", why: problemOf(error).detail };
  }
}

function withHeadOffset([x, y, z, roll, pitch, yaw]: readonly [
  number,
  number,
  number,
  number,
  number,
  number,
]): MotionTarget {
  const head = poseFromRpy([x, y, z], { roll, pitch, yaw });
  return { ...DEFAULT_POSE, head, bodyYaw: null, automaticBodyYaw: true };
}

function readBody({ kind, text }: Command, schema: BodySchema): ReadCommand {
  const { data, error } = schema.safeParse(parsePythonJson(text));
  if (error !== undefined) return { is: "invalid", why: firstIssue(error) };
  const target = { ...targetOf(data), keepsBodyYaw: kind === PUBLIC_SOCKET };
  return { is: "target", target, isGoto: kind === REST_GOTO };
}

const firstIssue = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join(".")} ${issue?.message}`.trim();
