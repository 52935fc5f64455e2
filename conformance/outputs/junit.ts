import { type JunitCase, type JunitKind, junitFile, linesOfFindings } from "../../assistant/check/formats/junit.ts";
import { type Judgement, preventsConformance, type Verdict } from "../verdict/verdict.ts";

/**
 * A verdict as a JUnit file: one test case for each requirement, its id first in the name.
 * What keeps the app from being conformant is a failure or an error, so that a CI job fails exactly then.
 * @param folder the app's folder relative to the working directory
 */
export function junitOf({ app, duration, startedAt, results }: Verdict, folder: string): string {
  const cases = results.map((judgement) => caseOf(judgement, folder));
  const attributes = ` time="${duration.toFixed(3)}" timestamp="${startedAt}"`;
  return junitFile("robot-app-assistant certify", app, cases, attributes);
}

function kindOf(judgement: Judgement): JunitKind {
  const { status } = judgement;
  if (preventsConformance(judgement)) return status === "error" ? "error" : "failure";
  if (status === "pass") return "passed";
  // JUnit has no warnings.
  return status === "warn" || status === "flaky" ? "output" : "skipped";
}

function caseOf(judgement: Judgement, folder: string): JunitCase {
  const { id, level, section, title, status, findings, reason } = judgement;
  const kind = kindOf(judgement);
  return {
    kind,
    classname: `${level}.${section}`,
    name: `${id} ${title}`,
    message: findings[0]?.message ?? reason ?? "",
    lines: [...linesOfFindings(findings, folder), ...(reason === null ? [] : [reason])],
    ...(kind === "failure" ? { type: status } : {}),
  };
}
