import type { Invocation, Location, Log, Notification, ReportingDescriptor, Result, Run, ToolComponent } from "sarif";
import { REQUIREMENTS } from "../requirements.ts";
import { type Format, placeOf } from "./format.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * A place in a file of the app, as SARIF has it: a relative reference (RFC 3986), each part of the path escaped.
 * @param prefix the app's folder relative to the working directory, which must be the root of the repository
 * @param line from 1; null for the whole file
 */
export function sarifLocation(prefix: string, file: string, line: number | null): Location {
  const uri = placeOf(prefix, file).split("/").map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line ?? 1 } } };
}

/** A SARIF 2.1.0 log of one run (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). */
export function sarifLog(
  driver: ToolComponent,
  invocation: Invocation,
  rest: Pick<Run, "results" | "properties">,
): Log {
  const run: Run = { tool: { driver }, invocations: [invocation], columnKind: "utf16CodeUnits", ...rest };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}

const LEVELS = { fail: "error", warn: "warning", pass: "none", skip: "none", error: "none" } as const;

/** SARIF for code scanning. What could not be judged, and what broke, are notifications of the run and not results. */
export const formatSarif: Format = ({ results }, { prefix, version }) => {
  const rules = REQUIREMENTS.map(
    ({ id, title, level, explanation }): ReportingDescriptor => ({
      id,
      shortDescription: { text: title },
      fullDescription: { text: explanation },
      help: { text: `${explanation} More: robot-app-assistant check --explain ${id}` },
      defaultConfiguration: { level: level === "MUST" ? "error" : "warning" },
    }),
  );
  const found = results.flatMap(({ id, status, findings }) =>
    findings.map(
      ({ message, file, line }): Result => ({
        ruleId: id,
        ruleIndex: rules.findIndex((rule) => rule.id === id),
        level: LEVELS[status],
        message: { text: message },
        locations: [sarifLocation(prefix, file, line)],
      }),
    ),
  );
  const notifications = results.flatMap(({ id, status, reason }): Notification[] =>
    reason === null
      ? []
      : [
          {
            descriptor: { id },
            level: status === "error" ? "error" : "note",
            message: { text: `${id} was not judged: ${reason}` },
          },
        ],
  );
  const driver = { name: "robot-app-assistant", semanticVersion: version, rules };
  const executionSuccessful = results.every(({ status }) => status !== "error");
  const invocation = { executionSuccessful, toolExecutionNotifications: notifications };
  return `${JSON.stringify(sarifLog(driver, invocation, { results: found }), null, 2)}\n`;
};
