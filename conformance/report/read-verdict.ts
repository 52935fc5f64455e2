import { z } from "zod";
import { JOINT_NAMES } from "../../robot/description/joints.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Verdict } from "../verdict/verdict.ts";

const angles = z.array(z.number()).length(JOINT_NAMES.length);
const status = z.enum(["pass", "fail", "warn", "skip", "error"]);
const seconds = z.number().min(0);

const waiver = z.object({ requirement: z.string(), reason: z.string(), owner: z.string(), expires: z.string() });

const judgement = z.object({
  id: z.string(),
  level: z.enum(["MUST", "SHOULD"]),
  section: z.string(),
  title: z.string(),
  status,
  findings: z.array(z.object({ message: z.string(), file: z.string(), line: z.int().nullable() })),
  reason: z.string().nullable(),
  scenes: z.array(z.string()),
  measured: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string(), limit: z.number().nullable() })),
  waiver: waiver.nullable(),
});

const motion = z
  .object({ t: z.array(seconds), measured: z.array(angles), sent: z.array(angles.nullable()) })
  .refine(({ t, measured, sent }) => measured.length === t.length && sent.length === t.length, {
    error: "the columns t, measured and sent must be of equal length",
  });

const scene = z.object({
  id: z.string(),
  title: z.string(),
  duration: seconds,
  events: z.array(
    z.object({
      t: seconds,
      kind: z.enum(["slot", "action", "robot", "finding"]),
      state: z.enum(["starting", "running", "stopping", "done", "error"]).nullable(),
      level: z.enum(["info", "warning", "error"]),
      text: z.string(),
    }),
  ),
  log: z.array(z.object({ t: seconds, stream: z.enum(["stdout", "stderr"]), text: z.string() })),
  motion,
});

const verdictSchema = z.object({
  format: z.literal("robot-app-verdict"),
  version: z.string(),
  digest: z.string(),
  only: z.array(z.string()).nullable(),
  seed: z.number(),
  startedAt: z.string(),
  duration: seconds,
  verdict: z.enum(["conformant", "not-conformant", "error"]),
  app: z.string().nullable(),
  folder: z.string(),
  counts: z.record(status, z.int().min(0)),
  results: z.array(judgement),
  scenes: z.array(scene),
  staleWaivers: z.array(waiver.extend({ why: z.enum(["expired", "unused"]) })),
});

/**
 * A verdict from its JSON.
 * @param name what to call the file in messages
 * @throws WorkbenchError `bad-request` when the text is none
 */
export function readVerdict(text: string, name: string): Verdict {
  const json = parsed(text);
  if (json === undefined)
    throw new WorkbenchError("bad-request", `${name} is not JSON; name the verdict.json that certify wrote.`);
  const read = verdictSchema.safeParse(json);
  // The schema changes nothing; what was read keeps its order, so that the same page comes of it.
  if (read.success) return json as typeof read.data;
  const [{ path, message } = { path: [], message: "" }] = read.error.issues;
  throw new WorkbenchError(
    "bad-request",
    `${name} is not a verdict: ${path.join(".") || "the whole"}: ${message}. Name the verdict.json that certify wrote.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
