import type { Finding } from "../../assistant/check/requirement.ts";
import type { VERDICT_FORMAT_VERSION } from "../../common/versions.ts";
import type { ReplayScript } from "../test-runs/random-user/script.ts";

/**
 * The outcome of a requirement:
 * - `pass`: it was observed to be met.
 * - `fail`: a MUST was observed to be violated, and the control app passes it.
 * - `warn`: a SHOULD was observed to be violated, or a failure is waived.
 * - `flaky`: a MUST failed, and passed in a retry.
 * - `not-applicable`: it does not concern this app.
 * - `inconclusive`: there is no observation to judge by.
 * - `error`: the harness, the daemon or the machine failed; that says nothing about the app.
 */
export const OUTCOMES = ["pass", "fail", "warn", "flaky", "not-applicable", "inconclusive", "error"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A fact from the record of a test run that supports an outcome. */
export interface Observation {
  text: string;
  /** Id of the test run; null for what was observed at install or read from the app's files. */
  testRun: string | null;
  /** Seconds from the start of the test run; null when it is not of one moment. */
  t: number | null;
}

/**
 * The result of a certification, as verdict.json holds it. Terminal, JUnit, annotations, badge and report are derived
 * from it.
 */
export interface Verdict {
  format: "robot-app-verdict";
  formatVersion: typeof VERDICT_FORMAT_VERSION;
  /** Version of the workbench. */
  version: string;
  /**
   * `not-conformant`: a MUST failed or a waiver is stale. `error`: no MUST failed, but one could not be judged because the
   * harness failed. `inconclusive`: a MUST is inconclusive or flaky. Only `conformant` is a certificate.
   */
  verdict: "conformant" | "not-conformant" | "inconclusive" | "error";
  /** Name of the app; null when it cannot be read. */
  app: string | null;
  folder: string;
  /** Digest of the files that were installed, as the daemon records it: `sha256:` and hexadecimal digits. */
  digest: string;
  /** Digest of the same files as in-toto statements have it (`dirHash`); hexadecimal. */
  dirHash: string;
  /** `dirHash` of the wheel that was built of them, installed and judged; null when none was. */
  wheel?: string | null | undefined;
  /** The requirements that were asked for; null for all. A part is no certification. */
  only: readonly string[] | null;
  /** Seed of every random choice; 32 bits. */
  seed: number;
  /** ISO 8601. */
  startedAt: string;
  /** Seconds. */
  duration: number;
  /** How the app was kept apart from the machine. */
  isolation: Isolation;
  environment: Environment;
  counts: Readonly<Record<Outcome, number>>;
  results: readonly Judgement[];
  /** All test runs, also of retries, of attempts that do not count, and of the control app. */
  testRuns: readonly TestRun[];
  /** What the random user did when the app failed; null or left out when it did not. */
  replay?: ReplayScript | null | undefined;
  /** The result of the app's own tests, which no requirement asks for; null or left out when they were not run. */
  appTests?: AppTests | null | undefined;
  /** Waivers that have expired or that nothing needs. One makes the certification fail. */
  staleWaivers: readonly StaleWaiver[];
}

/** The result of the tests that the app's author wrote. The verdict does not depend on it. */
export interface AppTests {
  passed: number;
  /** With those that could not be set up, and files of tests that could not be read. */
  failed: number;
  skipped: number;
  /** Seconds. */
  duration: number;
  /** The first failures; at most 20. */
  failures: readonly { test: string; message: string }[];
  /** Why the tests did not run, or not all of them; null when they did. */
  problem: string | null;
}

/** What a verdict was made with. */
export interface Environment {
  /** Versions of the suite, the daemon and the simulator; of the SDK and of Python, null when the app was not installed. */
  suite: string;
  daemon: string;
  simulator: string;
  sdk: string | null;
  python: string | null;
  /** Versions of all distributions that were installed, by name. */
  dependencies: Readonly<Record<string, string>>;
  options: {
    thorough: boolean;
    jobs: number;
    retries: number;
    failFast: boolean;
    allowNetwork: boolean;
    /** Names of variables that the app was given; left out by older suites. */
    secrets?: readonly string[] | undefined;
    /** The provider of chat and speech that the app was given; left out without one. */
    provider?: "scripted" | undefined;
  };
  /** The class of the machine. */
  machine: { system: string; architecture: string; processors: number; memoryGb: number };
}

/** How the app was kept apart from the machine while it was judged. */
export interface Isolation {
  /** `bubblewrap`: the app saw no files and no processes of the machine; `none`: it had the rights of the user. */
  sandbox: "bubblewrap" | "none";
  /** Why it was not run under bubblewrap; null when it was. */
  reason: string | null;
  /** `namespace`: each test run had a network of its own, with loopback alone; `none`: it had the machine's network. */
  network: "namespace" | "none";
}

/** The result for one requirement. */
export interface Judgement {
  id: string;
  level: "MUST" | "SHOULD";
  /** Section of the app contract. */
  section: string;
  title: string;
  status: Outcome;
  findings: readonly Finding[];
  /** Why the outcome is not `pass`, as a fact; null when the findings say it. */
  reason: string | null;
  /** The facts that support the outcome. */
  observations: readonly Observation[];
  /** Ids of the test runs that show it; empty when it was read from the app's files. */
  testRuns: readonly string[];
  /** Measured values, for example `stop p50`: value, unit, and the limit if there is one. */
  measured: readonly Measurement[];
  /** Further attempts: retries, and the control app. */
  attempts: readonly Attempt[];
  /** Why a failure counts as a warning; null when it does not. */
  waiver: Waiver | null;
}

/** A further attempt at a requirement that failed. */
export interface Attempt {
  /** `retry-1` and so on of the app, `control` of the control app. */
  name: string;
  status: Outcome;
  findings: readonly Finding[];
  reason: string | null;
  observations: readonly Observation[];
  testRuns: readonly string[];
}

export interface Measurement {
  name: string;
  value: number;
  unit: string;
  limit: number | null;
}

/** A failure that a person accepts until a day. A waiver that is not needed makes the certification fail. */
export interface Waiver {
  requirement: string;
  reason: string;
  owner: string;
  /** The last day on which it counts, YYYY-MM-DD. */
  expires: string;
}

export interface StaleWaiver extends Waiver {
  why: "expired" | "unused";
}

/** One test run: the app with a simulated robot. Times are seconds from its start, and never decrease. */
export interface TestRun {
  /** For example `stop-during-goto`. */
  id: string;
  title: string;
  duration: number;
  events: readonly TestRunEvent[];
  log: readonly LogLine[];
  motion: Motion;
}

/** An event of a test run. */
export interface TestRunEvent {
  t: number;
  /** `slot`: the app's state changed; `action`: what the harness did; `robot`: an event of the robot; `finding`: a violation. */
  kind: "slot" | "action" | "robot" | "finding";
  /** The app's state when `kind` is slot, else null. */
  state: "starting" | "running" | "stopping" | "done" | "error" | null;
  level: "info" | "warning" | "error";
  text: string;
}

export interface LogLine {
  t: number;
  stream: "stdout" | "stderr";
  text: string;
}

/**
 * The robot's motion, 25 samples a second, in columns of equal length. Angles are in the order of JOINT_NAMES (body_yaw,
 * stewart_1 to stewart_6, right_antenna, left_antenna), radians to four decimals.
 */
export interface Motion {
  t: readonly number[];
  /** Nine angles a sample, as measured by the servos. */
  measured: readonly (readonly number[])[];
  /** Nine angles a sample, as sent to the servos; null while the motors are off. */
  sent: readonly (readonly number[] | null)[];
}

/** How often each outcome occurs. */
export function countOutcomes(results: readonly Pick<Judgement, "status">[]): Record<Outcome, number> {
  const count = (outcome: Outcome) => results.filter(({ status }) => status === outcome).length;
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)])) as Record<Outcome, number>;
}

/** Whether an outcome keeps the app from being conformant. Of a SHOULD none does. */
export const preventsConformance = ({ status, level }: Pick<Judgement, "status" | "level">): boolean =>
  status === "fail" || (level === "MUST" && (status === "error" || status === "inconclusive" || status === "flaky"));

/** The verdict of a list of results and the number of stale waivers. */
export function decide(
  results: readonly Pick<Judgement, "status" | "level">[],
  staleWaivers: number,
): Verdict["verdict"] {
  const has = (outcome: Outcome) => results.some(({ status }) => status === outcome);
  const hasMust = (...outcomes: Outcome[]) =>
    results.some(({ level, status }) => level === "MUST" && outcomes.includes(status));
  // Of SHOULDs alone, as --only and --replay judge them, at least one must have been judged.
  const are = (...outcomes: Outcome[]) =>
    results.length > 0 && results.every(({ status }) => outcomes.includes(status));
  if (has("fail") || staleWaivers > 0) return "not-conformant";
  if (hasMust("error") || (has("error") && are("error", "inconclusive", "not-applicable"))) return "error";
  return hasMust("inconclusive", "flaky") || are("inconclusive") ? "inconclusive" : "conformant";
}
