import { join } from "node:path";
import { systemNeed } from "../../daemon/apps/install/tools/system-needs.ts";
import { DEFAULT_DIALECT, dialectById } from "../../robot/dialects/dialects.ts";
import type { Violation } from "../requirements/requirement.ts";
import type { AppUnderTest } from "../runner/app/app-under-test.ts";
import type { Judgement, TestRun } from "../verdict/verdict.ts";
import { attemptOf, renameTestRuns } from "./attempts.ts";
import { type CollectOptions, collectEvidence } from "./collect-evidence.ts";
import { controlAppOf, copyControlApp, mediaOf } from "./control-app.ts";
import { type JudgedRequirement, withViolatedTestRuns } from "./judge.ts";

const NAME = "control";

/** How to run the control app: as the app that it is compared with. */
interface ControlOptions extends Omit<CollectOptions, "isDecided"> {
  /** The judged app; null when it could not be installed. */
  app: AppUnderTest | null;
}

/**
 * Executes the test runs of violated requirements with the control app of the same dialect, with page, sound and camera as the
 * app has them. A violation that the control app shows too, or that it does not pass for another reason, is an error of the
 * harness, the daemon or the machine, and so is one that names a library or a program which this machine lacks.
 * @throws HarnessError when not even the control app can be installed; the host's signal's reason
 */
export async function compareWithControlRun(
  failed: readonly JudgedRequirement[],
  options: ControlOptions,
): Promise<{ judged: JudgedRequirement[]; testRuns: TestRun[] }> {
  const dialect = dialectById(options.app?.dialect ?? options.dialect) ?? DEFAULT_DIALECT;
  const app = controlAppOf(dialect);
  const features = { page: options.app?.page !== null, ...(await mediaOf(options.folder)) };
  const folder = await copyControlApp(dialect, features, options.into);
  const progress = { ...options.progress, reportViolated: () => {} };
  const { evidence, judged: control } = await collectEvidence(failed.map(withViolatedTestRuns), {
    ...options,
    progress,
    folder,
    dialect: dialect.id,
    into: join(options.into, "run"),
  });
  const judged = failed.map((each, index): JudgedRequirement => {
    const other = control[index]?.judgement;
    const attempts = [...each.judgement.attempts, ...(other === undefined ? [] : [attemptOf(NAME, other)])];
    const lacking = whatMachineLacks(each.requirement.id, each.violations);
    if (lacking !== null)
      return asError(each, attempts, `${lacking}. The app may be right where it is installed: certify it again then.`);
    if (other?.status === "pass") {
      const reason = `The control app ${app} passes it.`;
      return { ...each, judgement: { ...each.judgement, attempts, reason } };
    }
    const why = other?.findings[0]?.message ?? other?.reason ?? "it was not run";
    const text = `The control app ${app} does not pass it either, so this says nothing about the app: ${why}`;
    return asError(each, attempts, text);
  });
  return { judged, testRuns: renameTestRuns(NAME, `control app ${app}`, evidence?.testRuns ?? []) };
}

const asError = (each: JudgedRequirement, attempts: Judgement["attempts"], reason: string): JudgedRequirement => ({
  ...each,
  violations: [],
  judgement: { ...each.judgement, attempts, status: "error", findings: [], reason },
});

/** Requirements on the install and on the start of an app, which fail where a library of the system is missing. */
const NEEDING_SYSTEM = ["PKG-009", "LIFE-001", "LIFE-002"];
/** Lines at the end of an app's output that name the error which it ended with. */
const LAST_LINES = 4;
/** Matches the apt command in the message of an install that failed. */
const IN_MESSAGE = /^(.*?: apt install [^,]*), then install the app again/;

/**
 * What this machine lacks for an app, by the message of its install or the error that its start ended with: a sentence with
 * the command that installs it, without the full stop at its end. Null when nothing of the system is missing.
 * @param id of the violated requirement
 */
export function whatMachineLacks(id: string, violations: readonly Violation[]): string | null {
  if (!NEEDING_SYSTEM.includes(id)) return null;
  const needs = violations.flatMap(({ message, errors = [] }) => [
    IN_MESSAGE.exec(message)?.[1] ?? null,
    ...errors.slice(-LAST_LINES).map(systemNeed),
  ]);
  return needs.find((need) => need !== null) ?? null;
}
