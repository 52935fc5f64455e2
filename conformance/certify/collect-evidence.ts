import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence, SecondBuild } from "../evidence/evidence.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { installInCleanEnvironment, NO_SECOND_BUILD } from "../runner/app/install-app.ts";
import { type ExecuteOptions, executeTestRuns } from "../runner/execute-test-runs.ts";
import type { Host } from "../runner/host.ts";
import { type FirstLane, openFirstLane } from "../runner/lane/open-lane.ts";
import { ALL_TEST_RUNS } from "../test-runs/all-test-runs.ts";
import { firstRun } from "../test-runs/first-run.ts";
import type { TestRunPlan } from "../test-runs/test-run-plan.ts";
import { type JudgedRequirement, judge, notJudged } from "./judge.ts";
import { ViolationsSoFar } from "./violations-so-far.ts";

/** How to run an app. */
export interface CollectOptions
  extends Pick<ExecuteOptions, "seed" | "thoroughness" | "replay" | "jobs" | "isolation"> {
  /** The app's folder. */
  folder: string;
  /** The dialect of the app's SDK, as its files show. */
  dialect: string;
  /** Folder of the clean Python environment; the app is installed into a copy. */
  clean: string;
  /** A folder for everything that is written. */
  into: string;
  /** Is called with the violated requirements so far whenever a test run has ended; `true` leaves the others out. */
  isDecided?: (violated: readonly JudgedRequirement[]) => boolean;
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
interface CollectedEvidence {
  /** Null when the app could not be installed. */
  evidence: Evidence | null;
  /** All null when the app could not be installed. */
  installation: {
    /** The environment with the app in it. */
    venv: string | null;
    /** Digest of the files that were built. */
    installed: string | null;
    /** Digest of the wheel. */
    wheel: string | null;
  };
  judged: readonly JudgedRequirement[];
}

/** The test runs that requirements need, in the order of the verdict; where any is needed, also the first run. */
function testRunsFor(requirements: readonly DynamicRequirement[]): TestRunPlan[] {
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
  const { into, progress } = options;
  const plans = testRunsFor(requirements);
  progress.plan(1 + plans.length);
  await mkdir(into, { recursive: true });
  progress.begin("install");
  const buildsAgain = requirements.some(({ needsSecondBuild }) => needsSecondBuild);
  const { installation, firstLane } = await installBesideFirstLane(options, plans.length > 0, buildsAgain);
  const { app, venv, digest, wheel, imports } = installation;
  progress.end("install");
  if (app === null) {
    await firstLane?.lane.close();
    progress.plan(-plans.length);
    return {
      evidence: null,
      installation: { venv: null, installed: null, wheel: null },
      judged: requirements.map((each) => notInstalled(each, installation.facts.refusal ?? "")),
    };
  }
  const fitting = plans.filter(({ needsPage }) => !(needsPage && app.page === null));
  progress.plan(fitting.length - plans.length);
  const withInstall = (evidence: Evidence, secondBuild: SecondBuild): Evidence => ({
    ...evidence,
    facts: { ...evidence.facts, install: { ...installation.facts, ...secondBuild }, imports },
  });
  const soFar = new ViolationsSoFar(requirements);
  const executed = await executeTestRuns(fitting, {
    ...options,
    app,
    venv,
    folder: testRunsIn(into),
    firstLane,
    onTestRun: (id, what) => (what === "begins" ? progress.begin(id) : progress.end(id)),
    isDecided: (evidence, testRun) => {
      const violated = soFar.judgeTestRun(testRun, withInstall(evidence, NO_SECOND_BUILD));
      progress.reportViolated(violated.map(({ requirement }) => requirement.id));
      return options.isDecided?.(violated) ?? false;
    },
  })
    // Also after an error: the caller deletes the folder that the second build works in.
    .finally(() => installation.secondBuild.catch(() => {}));
  progress.plan(-executed.notExecuted.length);
  const evidence = withInstall(executed, await installation.secondBuild);
  return {
    evidence,
    installation: { venv, installed: digest, wheel },
    judged: requirements.map((each) => judgeExecuted(each, evidence, executed.notExecuted)),
  };
}

/** Judges a requirement. It is inconclusive when a test run that it needs was not executed, unless it is violated already. */
function judgeExecuted(
  requirement: DynamicRequirement,
  evidence: Evidence,
  notExecuted: readonly string[],
): JudgedRequirement {
  const missing = requirement.testRuns.filter((id) => notExecuted.includes(id));
  const judged = judge(requirement, evidence);
  if (missing.length === 0 || judged.violations.length > 0) return judged;
  const connected = evidence.appRuns.some(({ connectedAt }) => connectedAt !== null);
  const why = connected
    ? "the certification ended at the first violation"
    : "the app did not connect to the daemon in first-run (LIFE-001)";
  return notJudged(requirement, `Not executed: ${missing.join(", ")}, because ${why}.`);
}

/** Build scripts see the path: it has the name of a daemon's data folder, so that it does not reveal a certification. */
const INSTALL_FOLDER = "robot-daemon";

const testRunsIn = (into: string): string => join(into, "test-runs");

/**
 * Installs an app while the daemon and the robot of the first lane start. Where the lane has no network of its own, they start
 * after the install, because the app's build could reach the daemon.
 * @param hasTestRuns whether there are test runs, which need a lane
 * @param buildsAgain whether the app is built a second time, to compare the results
 * @throws HarnessError when the install failed for a reason that is not the app's
 */
async function installBesideFirstLane(
  { clean, folder, dialect, into, isolation, host }: CollectOptions,
  hasTestRuns: boolean,
  buildsAgain: boolean,
) {
  let firstLane: FirstLane | null = null;
  const onCopied = (venv: string): void => {
    const app = { name: "", dialect };
    if (hasTestRuns && isolation.network)
      firstLane = openFirstLane({ app, venv, folder: testRunsIn(into), isolation }, host);
  };
  const installTo = { clean, folder, into: join(into, INSTALL_FOLDER), isolation, buildsAgain, onCopied, host };
  try {
    return { installation: await installInCleanEnvironment(installTo), firstLane: firstLane as FirstLane | null };
  } catch (error) {
    await (firstLane as FirstLane | null)?.lane.close();
    throw error;
  }
}

/** The judgement of a requirement when the app could not be installed: only PKG-009 is violated. */
function notInstalled(requirement: DynamicRequirement, refusal: string): JudgedRequirement {
  const blank = notJudged(requirement, "The app could not be installed (PKG-009).");
  if (requirement.id !== "PKG-009") return blank;
  const findings = [{ message: refusal, file: "pyproject.toml", line: null }];
  return {
    requirement,
    violations: [{ message: refusal }],
    judgement: { ...blank.judgement, status: "fail", reason: null, findings },
  };
}
