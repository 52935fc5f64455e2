import { z } from "zod";
import { VERDICT_FORMAT_VERSION } from "../../common/versions.ts";
import { JOINT_NAMES } from "../../robot/description/joints.ts";
import type { ReplayScript } from "../test-runs/random-user/script.ts";

/*
 * A verdict, as verdict.json holds it: the schema of the file, and the types of its parts. Terminal, JUnit, annotations, badge
 * and report are derived from it.
 */

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/**
 * The outcome of a requirement:
 * - `pass`: it was observed to be met.
 * - `fail`: a MUST was observed to be violated, and the control app passes it.
 * - `warn`: a SHOULD was observed to be violated.
 * - `flaky`: a MUST failed, and passed in a retry.
 * - `not-applicable`: it does not concern this app.
 * - `inconclusive`: there is no observation to judge by.
 * - `error`: the harness, the daemon or the machine failed; that says nothing about the app.
 */
export const OUTCOMES = ["pass", "fail", "warn", "flaky", "not-applicable", "inconclusive", "error"] as const;
const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;

const seconds = z.number().min(0);
const count = z.int().min(0);

const Findings = z.array(z.object({ message: z.string(), file: z.string(), line: z.int().nullable() }));

const Observation = z.object({
  text: z.string(),
  /** Id of the test run; null for what was observed at install or read from the app's files. */
  testRun: z.string().nullable(),
  /** Seconds from the start of the test run; null when it is not of one moment. */
  t: seconds.nullable(),
});
/** A fact from the record of a test run that supports an outcome. */
export type Observation = DeepReadonly<z.infer<typeof Observation>>;

const Measurement = z.object({ name: z.string(), value: z.number(), unit: z.string(), limit: z.number().nullable() });
export type Measurement = DeepReadonly<z.infer<typeof Measurement>>;

const Attempt = z.object({
  /** `retry-1` and so on of the app, `control` of the control app. */
  name: z.string(),
  status: Outcome,
  findings: Findings,
  reason: z.string().nullable(),
  observations: z.array(Observation),
  testRuns: z.array(z.string()),
});
/** A further attempt at a requirement that failed. */
export type Attempt = DeepReadonly<z.infer<typeof Attempt>>;

const Judgement = z.object({
  id: z.string(),
  level: z.enum(["MUST", "SHOULD"]),
  /** Section of the app contract. */
  section: z.string(),
  title: z.string(),
  status: Outcome,
  findings: Findings,
  /** Why the outcome is not `pass`, as a fact; null when the findings say it. */
  reason: z.string().nullable(),
  /** The facts that support the outcome. */
  observations: z.array(Observation),
  /** Ids of the test runs that show it; empty when it was read from the app's files. */
  testRuns: z.array(z.string()),
  /** Measured values, for example `stop p50`: value, unit, and the limit if there is one. */
  measured: z.array(Measurement),
  /** Further attempts: retries, and the control app. */
  attempts: z.array(Attempt),
});
/** The result for one requirement. */
export type Judgement = DeepReadonly<z.infer<typeof Judgement>>;

const angles = z.array(z.number()).length(JOINT_NAMES.length);
const Motion = z
  .object({
    t: z.array(seconds),
    /** Nine angles a sample, as measured by the servos. */
    measured: z.array(angles),
    /** Nine angles a sample, as sent to the servos; null while the motors are off. */
    sent: z.array(angles.nullable()),
  })
  .refine(({ t, measured, sent }) => measured.length === t.length && sent.length === t.length, {
    error: "the columns t, measured and sent must be of equal length",
  });
/**
 * The robot's motion, 25 samples a second, in columns of equal length. Angles are in the order of JOINT_NAMES (body_yaw,
 * stewart_1 to stewart_6, right_antenna, left_antenna), radians to four decimals.
 */
export type Motion = DeepReadonly<z.infer<typeof Motion>>;

const TestRunEvent = z.object({
  t: seconds,
  /** `slot`: the app's state changed; `action`: what the harness did; `robot`: an event of the robot; `finding`: a violation. */
  kind: z.enum(["slot", "action", "robot", "finding"]),
  /** The app's state when `kind` is slot, else null. */
  state: z.enum(["starting", "running", "stopping", "done", "error"]).nullable(),
  level: z.enum(["info", "warning", "error"]),
  text: z.string(),
});
/** An event of a test run. */
export type TestRunEvent = DeepReadonly<z.infer<typeof TestRunEvent>>;

const LogLine = z.object({ t: seconds, stream: z.enum(["stdout", "stderr"]), text: z.string() });
export type LogLine = DeepReadonly<z.infer<typeof LogLine>>;

const TestRun = z.object({
  /** For example `stop-during-goto`. */
  id: z.string(),
  title: z.string(),
  duration: seconds,
  events: z.array(TestRunEvent),
  log: z.array(LogLine),
  motion: Motion,
});
/** One test run: the app with a simulated robot. Times are seconds from its start, and never decrease. */
export type TestRun = DeepReadonly<z.infer<typeof TestRun>>;

const Isolation = z.object({
  /** `bubblewrap`: the app saw no files and no processes of the machine; `none`: it had the rights of the user. */
  sandbox: z.enum(["bubblewrap", "none"]),
  /** Why it was not run under bubblewrap; null when it was. */
  reason: z.string().nullable(),
  /** `namespace`: each test run had a network of its own, with loopback alone; `none`: it had the machine's network. */
  network: z.enum(["namespace", "none"]),
});
/** How the app was kept apart from the machine while it was judged. */
export type Isolation = DeepReadonly<z.infer<typeof Isolation>>;

const Environment = z.object({
  /** Versions of the suite, the daemon and the simulator; of the SDK and of Python, null when the app was not installed. */
  suite: z.string(),
  daemon: z.string(),
  simulator: z.string(),
  sdk: z.string().nullable(),
  python: z.string().nullable(),
  /** Versions of all distributions that were installed, by name. */
  dependencies: z.record(z.string(), z.string()),
  options: z.object({
    thorough: z.boolean(),
    jobs: z.int(),
    retries: z.int(),
    failFast: z.boolean(),
    allowNetwork: z.boolean(),
    /** Names of variables that the app was given; left out by older suites. */
    secrets: z.array(z.string()).optional(),
    /** The provider of chat and speech that the app was given; left out without one. */
    provider: z.literal("scripted").optional(),
  }),
  /** The class of the machine. */
  machine: z.object({ system: z.string(), architecture: z.string(), processors: z.int(), memoryGb: z.number() }),
});
/** What a verdict was made with. */
export type Environment = DeepReadonly<z.infer<typeof Environment>>;

export const Verdict = z.object({
  format: z.literal("robot-app-verdict"),
  formatVersion: z.literal(VERDICT_FORMAT_VERSION),
  /** Version of the workbench. */
  version: z.string(),
  /** Digest of the files that were installed, as the daemon records it: `sha256:` and hexadecimal digits. */
  digest: z.string(),
  /** Digest of the same files as in-toto statements have it (`dirHash`); hexadecimal. */
  dirHash: z.string(),
  /** `dirHash` of the wheel that was built of them, installed and judged; null when none was. */
  wheel: z.string().nullable().optional(),
  /** The requirements that were asked for; null for all. A part is no certification. */
  only: z.array(z.string()).nullable(),
  /** Seed of every random choice; 32 bits. */
  seed: z.number(),
  /** ISO 8601. */
  startedAt: z.string(),
  duration: seconds,
  /**
   * `not-conformant`: a MUST failed. `error`: no MUST failed, but one could not be judged because the
   * harness failed. `inconclusive`: a MUST is inconclusive or flaky. Only `conformant` is a certificate.
   */
  verdict: z.enum(["conformant", "not-conformant", "inconclusive", "error"]),
  isolation: Isolation,
  environment: Environment,
  /** Name of the app; null when it cannot be read. */
  app: z.string().nullable(),
  folder: z.string(),
  counts: z.record(Outcome, count),
  results: z.array(Judgement),
  /** All test runs, also of retries, of attempts that do not count, and of the control app. */
  testRuns: z.array(TestRun),
  /**
   * What the random user did when the app failed; null or left out when it did not. `certify --replay` checks the file that has
   * it alone.
   */
  replay: z.custom<ReplayScript>().nullish(),
});
/** The result of a certification. */
export type Verdict = DeepReadonly<z.infer<typeof Verdict>>;
/** One that decides: alone it can be signed, and has a badge. */
export type DecidedVerdict = Verdict & { verdict: "conformant" | "not-conformant" };

/** How often each outcome occurs. */
export function countOutcomes(results: readonly Pick<Judgement, "status">[]): Record<Outcome, number> {
  const count = (outcome: Outcome) => results.filter(({ status }) => status === outcome).length;
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)])) as Record<Outcome, number>;
}

/** Whether an outcome prevents conformance: `fail` at any level; `error`, `inconclusive` and `flaky` of a MUST only. */
export const preventsConformance = ({ status, level }: Pick<Judgement, "status" | "level">): boolean =>
  status === "fail" || (level === "MUST" && (status === "error" || status === "inconclusive" || status === "flaky"));

/** The verdict of a list of results. */
export function decide(results: readonly Pick<Judgement, "status" | "level">[]): Verdict["verdict"] {
  const has = (outcome: Outcome) => results.some(({ status }) => status === outcome);
  const hasMust = (...outcomes: Outcome[]) =>
    results.some(({ level, status }) => level === "MUST" && outcomes.includes(status));
  // Of SHOULDs alone, as --only and --replay judge them, at least one must have been judged.
  const are = (...outcomes: Outcome[]) =>
    results.length > 0 && results.every(({ status }) => outcomes.includes(status));
  if (has("fail")) return "not-conformant";
  if (hasMust("error") || (has("error") && are("error", "inconclusive", "not-applicable"))) return "error";
  return hasMust("inconclusive", "flaky") || are("inconclusive") ? "inconclusive" : "conformant";
}
