import { REQUIREMENTS } from "../requirements.ts";
import type { Format } from "./format.ts";
import { SARIF_SCHEMA, sarifLocation } from "./sarif-location.ts";

const LEVELS = { fail: "error", warn: "warning", pass: "none", skip: "none", error: "none" } as const;

/**
 * SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), for code scanning. What could not be
 * judged, and what broke, are notifications of the run and not results.
 */
export const formatSarif: Format = ({ results }, { prefix, version }) => {
  const rules = REQUIREMENTS.map(({ id, title, level, explanation }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: `${explanation} More: robot-app-assistant check --explain ${id}` },
    defaultConfiguration: { level: level === "MUST" ? "error" : "warning" },
  }));
  const found = results.flatMap(({ id, status, findings }) =>
    findings.map(({ message, file, line }) => ({
      ruleId: id,
      ruleIndex: rules.findIndex((rule) => rule.id === id),
      level: LEVELS[status],
      message: { text: message },
      locations: [sarifLocation(prefix, file, line)],
    })),
  );
  const notifications = results.flatMap(({ id, status, reason }) =>
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
  const run = {
    tool: { driver: { name: "robot-app-assistant", semanticVersion: version, rules } },
    invocations: [
      {
        executionSuccessful: results.every(({ status }) => status !== "error"),
        toolExecutionNotifications: notifications,
      },
    ],
    columnKind: "utf16CodeUnits",
    results: found,
  };
  return `${JSON.stringify({ $schema: SARIF_SCHEMA, version: "2.1.0", runs: [run] }, null, 2)}\n`;
};
