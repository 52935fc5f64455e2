import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence } from "../evidence/evidence.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { installInCleanEnvironment } from "../runner/app/install-app.ts";
import { type ExecuteOptions, executeTestRuns } from "../runner/execute-test-runs.ts";
import type { Host } from "../runner/host.ts";
import { ALL_TEST_RUNS } from "../test-runs/all-test-runs.ts";
import { firstRun } from "../test-runs/first-run.ts";
import type { TestRunPlan } from "../test-runs/test-run-plan.ts";
import { type Judged, judge, notJudged } from "./judge.ts";

/** How to run an app. */
export interface CollectOptions
  extends Pick<ExecuteOptions, "seed" | "thoroughness" | "replay" | "jobs" | "isolation"> {
  /** The app's folder. */
  folder: string;
  /** The clean Python environment, which is copied. */
  clean: string;
  /** A folder for everything that is written. */
  into: string;
  /** Stops at the first violation of a MUST that this function accepts. */
  isDecided?: (judged: readonly Judged[]) => boolean;
  host: Host;
  progress: CertificationProgress;
}

/** Receives the progress of a certification, to show it to a person. */
export interface CertificationProgress {
  /** Adds steps to the planned ones; a negative number removes some. */
  plan(steps: number): void;
  begin(step: string): void;
  end(step: string): void;
  /** Ids of the requirements that are violated so far. */
  reportViolated(ids: readonly string[]): void;
}

/** The evidence of an app, and the judgements by it. */
export interface CollectedEvidence {
  /** Null when the app could not be installed. */
  evidence: Evidence | null;
  /** The environment with the app in it, and the digest of the files that were installed; null for both when it was not. */
  installation: { venv: string | null; installed: string | null };
  judged: readonly Judged[];
}

/** The test runs that requirements need, in the order of the verdict. */
export function testRunsFor(requirements: readonly DynamicRequirement[]): TestRunPlan[] {
  const wanted = new Set(requirements.flatMap(({ testRuns }) => testRuns));
  return ALL_TEST_RUNS.filter((plan) => wanted.has(plan.id) || (wanted.size > 0 && plan === firstRun));
}

/**
 * Installs an app, executes all test runs that the requirements need, and judges them. When the app cannot be installed or
 * never connects, most requirements are inconclusive.
 * @throws HarnessError; the host's signal's reason
 */
export async function collectEvidence(
  requirements: readonly DynamicRequirement[],
  options: CollectOptions,
): Promise<CollectedEvidence> {
  const { folder, clean, into, host, progress } = options;
  const plans = testRunsFor(requirements);
  progress.plan(1 + plans.length);
  await mkdir(into, { recursive: true });
  progress.begin("install");
  const { app, venv, digest, facts, imports } = await installInCleanEnvironment({
    clean,
    folder,
    into: join(into, "install"),
    isolation: options.isolation,
    host,
  });
  progress.end("install");
  if (app === null) {
    progress.plan(-plans.length);
    return {
      evidence: null,
      installation: { venv: null, installed: null },
      judged: requirements.map((each) => notInstalled(each, facts.refusal ?? "")),
    };
  }
  const fitting = plans.filter(({ needsPage }) => !(needsPage && app.page === null));
  progress.plan(fitting.length - plans.length);
  const installFacts = { install: facts, imports };
  const withInstall = (evidence: Evidence): Evidence => ({
    ...evidence,
    facts: { ...evidence.facts, ...installFacts },
  });
  const judgeSoFar = (evidence: Evidence): Judged[] => {
    const done = new Set(evidence.testRuns.map(({ id }) => id));
    const shown = requirements.filter(({ testRuns }) => testRuns.some((id) => done.has(id)) || testRuns.length === 0);
    return shown.map((requirement) => judge(requirement, withInstall(evidence)));
  };
  const executed = await executeTestRuns(fitting, {
    ...options,
    app,
    venv,
    folder: join(into, "test-runs"),
    onTestRun: (id, what) => (what === "begins" ? progress.begin(id) : progress.end(id)),
    isDecided: (evidence) => {
      const judged = judgeSoFar(evidence);
      progress.reportViolated(
        judged.flatMap(({ requirement, violations }) => (violations.length > 0 ? [requirement.id] : [])),
      );
      return options.isDecided?.(judged) ?? false;
    },
  });
  progress.plan(-executed.notExecuted.length);
  const evidence = withInstall(executed);
  const connected = executed.appRuns.some(({ connectedAt }) => connectedAt !== null);
  return {
    evidence,
    installation: { venv, installed: digest },
    judged: requirements.map((each) => {
      const missing = each.testRuns.filter((id) => executed.notExecuted.includes(id));
      const judged = judge(each, evidence);
      if (missing.length === 0 || judged.violations.length > 0) return judged;
      const why = connected
        ? "the certification ended at the first violation"
        : "the app did not connect to the daemon in first-run (LIFE-001)";
      return notJudged(each, `Not executed: ${missing.join(", ")}, because ${why}.`);
    }),
  };
}

function notInstalled(requirement: DynamicRequirement, refusal: string): Judged {
  const blank = notJudged(requirement, "The app could not be installed (PKG-009).");
  if (requirement.id !== "PKG-009") return blank;
  const findings = [{ message: refusal, file: "pyproject.toml", line: null }];
  return {
    requirement,
    violations: [{ message: refusal }],
    judgement: { ...blank.judgement, status: "fail", reason: null, findings },
  };
}
