import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkApp, type RequirementResult } from "../../assistant/check/check-app.ts";
import { removeTree } from "../../common/machine/remove-tree.ts";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import { dialectById } from "../../robot/dialects/dialects.ts";
import type { Evidence, InstallFacts } from "../evidence/evidence.ts";
import { cleanEnvironmentFor } from "../runner/app/environment-for-app.ts";
import { HarnessError, type Host } from "../runner/host.ts";
import type { IsolationPlan } from "../runner/isolation/isolation-plan.ts";
import { probeIsolation } from "../runner/isolation/probe-isolation.ts";
import type { Thoroughness } from "../runner/thoroughness.ts";
import type { ReplayScript } from "../test-runs/random-user/script.ts";
import { dirHashOf } from "../verdict/dir-hash.ts";
import {
  countOutcomes,
  decide,
  type Isolation,
  type Judgement,
  type TestRun,
  type Verdict,
} from "../verdict/verdict.ts";
import { attemptOf, renameTestRuns } from "./attempts.ts";
import { type CertificationProgress, type CollectOptions, collectEvidence } from "./collect-evidence.ts";
import { digestOfControlApps } from "./control-app.ts";
import { compareWithControlRun } from "./control-run.ts";
import { describeEnvironment } from "./describe-environment.ts";
import { addFindings } from "./findings.ts";
import { type JudgedRequirement, withViolatedTestRuns } from "./judge.ts";
import { correctByImportedClass, type ImportedClass, judgeByInstall } from "./judge-by-install.ts";
import { redact, type Secrets, withoutSecrets } from "./secrets.ts";
import { requirementsOf, type Tier, tierIds } from "./tiers.ts";

interface CertifyOptions {
  /** The app's folder. */
  folder: string;
  /** Version of the workbench. */
  version: string;
  seed: number;
  thorough: boolean;
  /** What the random user does; null: generated from the seed. */
  replay: ReplayScript | null;
  /** Test runs at a time. */
  jobs: number;
  /** How often a MUST that failed is tried again. */
  retries: number;
  /** Ends at the first MUST that failed. */
  failFast: boolean;
  /** Whether the app may use the machine's network. */
  allowNetwork: boolean;
  /** Variables that the app is given; none of their values is in the verdict. */
  secrets: Secrets;
  /** Whether the app is run under bubblewrap where that works. */
  sandbox: boolean;
  /** Whether the app is given a provider of chat and speech that answers from a script. */
  provider: boolean;
  /** How much is judged. */
  tier: Tier;
  /** Ids of the requirements of the tier to judge; null for all. */
  only: readonly string[] | null;
  /** Folder that holds the clean Python environment between certifications. */
  cache: string;
  host: Host;
  progress: CertificationProgress;
}

/**
 * Checks an app's files, installs it in a clean environment, executes the test runs and judges it.
 * @throws WorkbenchError `bad-request` when there is no such folder, `python-missing` and the like when there is no
 *   environment to run it in; HarnessError; the host's signal's reason
 */
export async function certify(options: CertifyOptions): Promise<Verdict> {
  try {
    return redact(await certifyWithSecrets(options), options.secrets);
  } catch (error) {
    // The output of a daemon that failed has that of the app in it.
    if (error instanceof Error) error.message = withoutSecrets(error.message, options.secrets);
    throw error;
  }
}

async function certifyWithSecrets(options: CertifyOptions): Promise<Verdict> {
  const { folder, host, progress } = options;
  const only = options.only ?? tierIds(options.tier);
  const startedAt = host.now();
  const wanted = ({ id }: { id: string }) => only === null || only.includes(id);
  const report = await checkApp(folder, host.signal);
  const [digest, dirHash, control] = [await digestOf(folder), await dirHashOf(folder), await digestOfControlApps()];
  const scratch = await mkdtemp(join(tmpdir(), "robot-"));
  try {
    const read = report.results.filter(wanted);
    // What its files violate does not hide how it behaves: it is run all the same, unless nothing can be installed.
    const isDecided = options.tier === "short" && read.some(({ id, status }) => id === "PKG-002" && status === "fail");
    const running = isDecided ? [] : requirementsOf(options.tier).filter(wanted);
    const dynamic = await runAndJudge(running, report.dialect, scratch, options);
    if ((await digestOf(folder)) !== digest || (dynamic.installed ?? digest) !== digest)
      throw new HarnessError(
        "the app's files were changed while it was certified; try again when nothing writes to them",
      );
    if ((await digestOfControlApps()) !== control)
      throw new HarnessError("the files of a control app were changed meanwhile: reinstall the workbench");
    const results = [
      ...read
        .map((result) => correctByImportedClass(judgementOf(result), dynamic.appClass, dialectById(report.dialect)))
        .map((judgement) => judgeByInstall(judgement, dynamic.install)),
      ...dynamic.judged.map(({ judgement }) => judgement),
    ].sort((one, other) => one.id.localeCompare(other.id));
    return {
      format: "robot-app-verdict",
      formatVersion: 2,
      version: options.version,
      verdict: decide(results),
      app: report.app,
      folder,
      digest,
      dirHash,
      wheel: dynamic.wheel,
      only,
      seed: options.seed,
      startedAt: new Date(startedAt).toISOString(),
      duration: (host.now() - startedAt) / 1000,
      isolation: describeIsolation(dynamic.isolation),
      environment: await describeEnvironment(options.version, dynamic.venv, {
        thorough: options.thorough,
        jobs: options.jobs,
        retries: options.retries,
        failFast: options.failFast,
        allowNetwork: options.allowNetwork,
        secrets: Object.keys(options.secrets),
        ...(options.provider && { provider: "scripted" as const }),
      }),
      counts: countOutcomes(results),
      results,
      testRuns: dynamic.testRuns,
      replay: dynamic.replay,
    };
  } finally {
    progress.end("all");
    await removeTree(scratch);
  }
}

function describeIsolation(plan: IsolationPlan | null): Isolation {
  if (plan === null) return { sandbox: "none", network: "none", reason: "the app was not run" };
  const { bubblewrap, network, reason } = plan;
  return { sandbox: bubblewrap === null ? "none" : "bubblewrap", network: network ? "namespace" : "none", reason };
}

/** A static check that was skipped could not be judged, because of another one that failed. */
function judgementOf({ status, ...result }: RequirementResult): Judgement {
  const text = "Read from the app's files.";
  return {
    ...result,
    status: status === "skip" ? "inconclusive" : status,
    observations: status === "pass" ? [{ text, testRun: null, t: null }] : [],
    testRuns: [],
    measured: [],
    attempts: [],
  };
}

interface Dynamic {
  judged: readonly JudgedRequirement[];
  testRuns: readonly TestRun[];
  /** Null when it was not imported. */
  appClass: ImportedClass | null;
  /** Undefined when it was not installed. */
  install: InstallFacts | undefined;
  /** Null when it was not run. */
  isolation: IsolationPlan | null;
  /** The environment with the app in it, the digest of what was built, and that of the wheel; null when it was not. */
  venv: string | null;
  installed: string | null;
  wheel: string | null;
  /** What the random user did when the app failed. */
  replay: ReplayScript | null;
}

const NOT_RUN = {
  appClass: null,
  install: undefined,
  isolation: null,
  venv: null,
  installed: null,
  wheel: null,
  replay: null,
};

async function runAndJudge(
  requirements: ReturnType<typeof requirementsOf>,
  dialect: string,
  scratch: string,
  options: CertifyOptions,
): Promise<Dynamic> {
  if (requirements.length === 0) return { ...NOT_RUN, judged: [], testRuns: [] };
  const { allowNetwork, sandbox, host, progress } = options;
  progress.begin("Python environment");
  const clean = await cleanEnvironmentFor(options.folder, options.cache, host, (_name, work) => work());
  const probed = await probeIsolation({ venv: clean, allowNetwork, sandbox, host });
  const isolation = { ...probed, secrets: Object.keys(options.secrets), provider: options.provider };
  progress.end("Python environment");
  const thoroughness = thoroughnessOf(options);
  const collect: CollectOptions = { ...options, dialect, thoroughness, clean, isolation, into: join(scratch, "data") };
  const first = await collectEvidence(requirements, options.failFast ? { ...collect, isDecided: hasFailed } : collect);
  const testRuns = [...(first.evidence?.testRuns ?? [])];
  const replay = scriptOf(first.evidence, options);
  let { judged } = first;
  for (let retry = 1; retry <= options.retries && failuresOf(judged).length > 0; retry += 1) {
    const name = `retry-${retry}`;
    const retried = await retryFailed(name, failuresOf(judged), { ...collect, into: join(scratch, name) });
    testRuns.push(...retried.testRuns);
    judged = replaceJudged(judged, retried.judged);
  }
  // With --fail-fast, one failure that the control app passes is enough.
  const violated = options.failFast ? failuresOf(judged).slice(0, 1) : violatedOf(judged);
  if (violated.length > 0) {
    const control = await compareWithControlRun(violated, {
      ...collect,
      app: first.evidence?.app ?? null,
      replay,
      into: join(scratch, "control"),
    });
    testRuns.push(...control.testRuns);
    judged = replaceJudged(judged, control.judged);
  }
  const facts = first.evidence?.facts.imports?.appClass ?? null;
  const appClass = first.evidence === null || facts === null ? null : { app: first.evidence.app, facts };
  const install = first.evidence?.facts.install;
  return {
    judged,
    testRuns: addFindings(testRuns, judged),
    appClass,
    install,
    isolation,
    replay,
    ...first.installation,
  };
}

const thoroughnessOf = ({ tier, thorough }: CertifyOptions): Thoroughness =>
  thorough ? "thorough" : tier === "short" ? "short" : "default";

/** The script that made the app fail, or the one that was given. */
function scriptOf(evidence: Evidence | null, { seed, replay }: CertifyOptions): ReplayScript | null {
  const played = evidence?.facts.randomUser;
  if (played === undefined || played.problem === null) return replay;
  return { format: "robot-app-replay", formatVersion: 1, seed, rounds: [...played.rounds] };
}

const failuresOf = (judged: readonly JudgedRequirement[]): JudgedRequirement[] =>
  judged.filter(({ judgement }) => judgement.status === "fail");
const violatedOf = (judged: readonly JudgedRequirement[]): JudgedRequirement[] =>
  judged.filter(({ violations }) => violations.length > 0);
const hasFailed = (judged: readonly JudgedRequirement[]): boolean => failuresOf(judged).length > 0;

/** Tries failed requirements again. One that passes now is flaky. */
async function retryFailed(name: string, failed: readonly JudgedRequirement[], options: CollectOptions) {
  const { evidence, judged: again } = await collectEvidence(failed.map(withViolatedTestRuns), options);
  const judged = failed.map((each, index): JudgedRequirement => {
    const retried = again[index]?.judgement;
    const attempts = [...each.judgement.attempts, ...(retried === undefined ? [] : [attemptOf(name, retried)])];
    if (retried?.status !== "pass") return { ...each, judgement: { ...each.judgement, attempts } };
    const reason = `It failed, and passed in ${name}.`;
    return { ...each, judgement: { ...each.judgement, attempts, status: "flaky", reason } };
  });
  return { judged, testRuns: renameTestRuns(name, name, evidence?.testRuns ?? []) };
}

function replaceJudged(
  all: readonly JudgedRequirement[],
  replacements: readonly JudgedRequirement[],
): JudgedRequirement[] {
  return all.map((each) => replacements.find(({ requirement }) => requirement === each.requirement) ?? each);
}
