import { type JunitCase, type JunitKind, junitFile, linesOfFindings } from "../../assistant/check/formats/junit.ts";
import { describeStaleWaiver } from "../verdict/describe.ts";
import { type Judgement, preventsConformance, type StaleWaiver, type Verdict } from "../verdict/verdict.ts";

/**
 * A verdict as a JUnit file: one test case for each requirement, its id first in the name, and one for each stale waiver.
 * What keeps the app from being conformant is a failure or an error, so that a CI job fails exactly then.
 * @param folder the app's folder relative to the working directory
 */
export function junitOf({ app, duration, startedAt, results, staleWaivers }: Verdict, folder: string): string {
  const cases = [...results.map((judgement) => caseOf(judgement, folder)), ...staleWaivers.map(waiverCase)];
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
  const { id, level, section, title, status, findings, reason, waiver } = judgement;
  const kind = kindOf(judgement);
  const waived = waiver === null ? [] : [`waived by ${waiver.owner} until ${waiver.expires}: ${waiver.reason}`];
  return {
    kind,
    classname: `${level}.${section}`,
    name: `${id} ${title}`,
    message: findings[0]?.message ?? reason ?? "",
    lines: [...linesOfFindings(findings, folder), ...waived, ...(reason === null ? [] : [reason])],
    ...(kind === "failure" ? { type: status } : {}),
  };
}

function waiverCase(waiver: StaleWaiver): JunitCase {
  const text = describeStaleWaiver(waiver);
  const name = `${waiver.requirement} waiver`;
  return { kind: "failure", classname: "waivers", name, message: text, lines: [text], type: waiver.why };
}
