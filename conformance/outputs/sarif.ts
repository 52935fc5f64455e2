import type { Log, Notification, ReportingDescriptor, Result } from "sarif";
import { sarifLocation, sarifLog } from "../../assistant/check/formats/sarif.ts";
import { type Judgement, preventsConformance, type Verdict } from "../verdict/verdict.ts";

/**
 * A verdict as a SARIF 2.1.0 log: a rule for each requirement and a result for each finding. What is no finding is a
 * notification of the run: requirements that could not be judged. GitHub refuses a file with a result
 * that has no location (https://github.com/github/codeql-action/issues/2459).
 * @param folder the app's folder relative to the working directory, which must be the root of the repository
 */
export function sarifOf({ version, results, startedAt, verdict, app, seed }: Verdict, folder: string): Log {
  return sarifLog(
    { name: "robot-app-assistant certify", semanticVersion: version, rules: results.map(ruleOf) },
    {
      executionSuccessful: verdict !== "error",
      startTimeUtc: startedAt,
      toolExecutionNotifications: results.flatMap(notificationsOf),
    },
    {
      results: results.flatMap((judgement, index) => resultsOf(judgement, index, folder)),
      properties: { verdict, app, seed },
    },
  );
}

const ruleOf = ({ id, title, level, section }: Judgement): ReportingDescriptor => ({
  id,
  shortDescription: { text: title },
  defaultConfiguration: { level: level === "MUST" ? "error" : "warning" },
  properties: { requirement: level, section },
});

function resultsOf({ id, status, findings }: Judgement, ruleIndex: number, folder: string): Result[] {
  return findings.map(({ message, file, line }) => ({
    ruleId: id,
    ruleIndex,
    level: status === "warn" ? "warning" : "error",
    kind: "fail",
    message: { text: message },
    locations: [sarifLocation(folder, file, line)],
  }));
}

/** A requirement without a finding that was not met: that it passed, its rule alone says. */
function notificationsOf(judgement: Judgement): Notification[] {
  const { id, status, findings, reason, title } = judgement;
  if (findings.length > 0 || status === "pass") return [];
  const text = `${id} ${status}: ${reason ?? title}`;
  return [{ descriptor: { id }, level: preventsConformance(judgement) ? "error" : "note", message: { text } }];
}
