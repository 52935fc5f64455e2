import type { Log, ReportingDescriptor, Result } from "sarif";
import { placeOf } from "../../assistant/check/formats/place.ts";
import type { Judgement, Outcome, Verdict } from "../verdict/verdict.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** `level` and `kind` of an outcome: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, 3.27.9 and 3.27.10. */
const GRADES: Readonly<Record<Outcome, { level: Result.level; kind: Result.kind }>> = {
  pass: { level: "none", kind: "pass" },
  fail: { level: "error", kind: "fail" },
  warn: { level: "warning", kind: "fail" },
  flaky: { level: "error", kind: "fail" },
  "not-applicable": { level: "none", kind: "notApplicable" },
  inconclusive: { level: "none", kind: "open" },
  error: { level: "none", kind: "review" },
};

/**
 * A verdict as a SARIF 2.1.0 log: a rule for each requirement, a result for each finding, and one for each requirement
 * without findings.
 * @param folder the app's folder relative to the working directory, which must be the root of the repository
 */
export function sarifOf({ version, results, startedAt, verdict, app, seed }: Verdict, folder: string): Log {
  const isComplete = verdict !== "error";
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "robot-app-assistant certify",
            semanticVersion: version,
            rules: results.map(ruleOf),
          },
        },
        invocations: [{ executionSuccessful: isComplete, startTimeUtc: startedAt }],
        columnKind: "utf16CodeUnits",
        results: results.flatMap((judgement, index) => resultsOf(judgement, index, folder)),
        properties: { verdict, app, seed },
      },
    ],
  };
}

const ruleOf = ({ id, title, level, section }: Judgement): ReportingDescriptor => ({
  id,
  shortDescription: { text: title },
  defaultConfiguration: { level: level === "MUST" ? "error" : "warning" },
  properties: { requirement: level, section },
});

function resultsOf(judgement: Judgement, ruleIndex: number, folder: string): Result[] {
  const { id, title, status, findings, reason, waiver } = judgement;
  const shared = {
    ruleId: id,
    ruleIndex,
    ...GRADES[status],
    ...(waiver === null ? {} : { suppressions: [{ kind: "external" as const, justification: waiver.reason }] }),
  };
  if (findings.length === 0) return [{ ...shared, message: { text: reason ?? title } }];
  return findings.map(({ message, file, line }) => ({
    ...shared,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(placeOf(folder, file)) },
          ...(line === null ? {} : { region: { startLine: line } }),
        },
      },
    ],
  }));
}

/** A relative reference (RFC 3986): each part of the path is escaped. */
const uriOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
