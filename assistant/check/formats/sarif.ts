import type { Notification, ReportingDescriptor, Result } from "sarif";
import { REQUIREMENTS } from "../requirements.ts";
import type { Format } from "./format.ts";
import { sarifLocation, sarifLog } from "./sarif-log.ts";

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
