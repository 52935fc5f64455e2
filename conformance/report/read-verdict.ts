import { z } from "zod";
import { JOINT_NAMES } from "../../robot/description/joints.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { assertMatches } from "../../robot/wire/validation/parse-or-throw.ts";
import { OUTCOMES, type Verdict } from "../verdict/verdict.ts";
import { upgradeVerdict } from "./upgrade-verdict.ts";

const angles = z.array(z.number()).length(JOINT_NAMES.length);
const status = z.enum(OUTCOMES);
const seconds = z.number().min(0);

const waiver = z.object({ requirement: z.string(), reason: z.string(), owner: z.string(), expires: z.string() });

const findings = z.array(z.object({ message: z.string(), file: z.string(), line: z.int().nullable() }));
const observations = z.array(z.object({ text: z.string(), testRun: z.string().nullable(), t: seconds.nullable() }));

const judgement = z.object({
  id: z.string(),
  level: z.enum(["MUST", "SHOULD"]),
  section: z.string(),
  title: z.string(),
  status,
  findings,
  reason: z.string().nullable(),
  observations,
  testRuns: z.array(z.string()),
  measured: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string(), limit: z.number().nullable() })),
  attempts: z.array(
    z.object({
      name: z.string(),
      status,
      findings,
      reason: z.string().nullable(),
      observations,
      testRuns: z.array(z.string()),
    }),
  ),
  waiver: waiver.nullable(),
});

const motion = z
  .object({ t: z.array(seconds), measured: z.array(angles), sent: z.array(angles.nullable()) })
  .refine(({ t, measured, sent }) => measured.length === t.length && sent.length === t.length, {
    error: "the columns t, measured and sent must be of equal length",
  });

const testRun = z.object({
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

const count = z.int().min(0);
const appTests = z.object({
  passed: count,
  failed: count,
  skipped: count,
  duration: seconds,
  failures: z.array(z.object({ test: z.string(), message: z.string() })),
  problem: z.string().nullable(),
});

const verdictSchema = z.object({
  format: z.literal("robot-app-verdict"),
  formatVersion: z.literal(2),
  version: z.string(),
  digest: z.string(),
  dirHash: z.string(),
  wheel: z.string().nullable().optional(),
  only: z.array(z.string()).nullable(),
  seed: z.number(),
  startedAt: z.string(),
  duration: seconds,
  verdict: z.enum(["conformant", "not-conformant", "inconclusive", "error"]),
  isolation: z.object({
    sandbox: z.enum(["bubblewrap", "none"]),
    reason: z.string().nullable(),
    network: z.enum(["namespace", "none"]),
  }),
  environment: z.object({
    suite: z.string(),
    daemon: z.string(),
    simulator: z.string(),
    sdk: z.string().nullable(),
    python: z.string().nullable(),
    dependencies: z.record(z.string(), z.string()),
    options: z.object({
      thorough: z.boolean(),
      jobs: z.int(),
      retries: z.int(),
      failFast: z.boolean(),
      allowNetwork: z.boolean(),
      secrets: z.array(z.string()).optional(),
      provider: z.literal("scripted").optional(),
    }),
    machine: z.object({
      system: z.string(),
      architecture: z.string(),
      processors: z.int(),
      memoryGb: z.number(),
    }),
  }),
  app: z.string().nullable(),
  folder: z.string(),
  counts: z.record(status, z.int().min(0)),
  results: z.array(judgement),
  testRuns: z.array(testRun),
  appTests: appTests.nullable().optional(),
  staleWaivers: z.array(waiver.extend({ why: z.enum(["expired", "unused"]) })),
});

/**
 * Reads a verdict from its JSON; one of an older format is converted.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when the text is not a verdict
 */
export function readVerdict(text: string, name: string): Verdict {
  const next = `${name} is not a verdict; name the verdict.json that certify wrote.`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${name} is not JSON. ${next}`, { cause });
  }
  json = upgradeVerdict(json);
  // The order of the keys stays as it was written, so that the same page results.
  assertMatches(verdictSchema, json, name, { next });
  return json;
}
