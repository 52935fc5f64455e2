import type { RequirementResult } from "../check-app.ts";
import { escapeXml } from "./escape-xml.ts";
import type { Format } from "./format.ts";
import { placeOf } from "./place.ts";

/** A JUnit file: one test case for each requirement, its id first in the name. A warning is a passed case with output. */
export const formatJunit: Format = ({ app, counts, results }, { prefix }) => {
  const totals = `tests="${results.length}" failures="${counts.fail}" errors="${counts.error}" skipped="${counts.skip}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="robot-app-assistant check" ${totals}>`,
    `  <testsuite name="${escapeXml(app ?? "app")}" ${totals}>`,
    ...results.map((result) => caseOf(result, prefix)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
};

function caseOf({ id, level, section, title, status, findings, reason }: RequirementResult, prefix: string): string {
  const text = findings.map(
    ({ message, file, line }) => `${placeOf(prefix, file)}${line === null ? "" : `:${line}`}: ${message}`,
  );
  const message = escapeXml(findings[0]?.message ?? reason ?? "");
  const all = escapeXml([...text, ...(reason === null ? [] : [reason])].join("\n"));
  const inside = {
    pass: "",
    fail: `<failure message="${message}">${all}</failure>`,
    warn: `<system-out>${all}</system-out>`,
    skip: `<skipped message="${message}"/>`,
    error: `<error message="${message}">${all}</error>`,
  }[status];
  const head = `    <testcase classname="${level}.${section}" name="${escapeXml(`${id} ${title}`)}"`;
  return inside === "" ? `${head}/>` : `${head}>${inside}</testcase>`;
}
