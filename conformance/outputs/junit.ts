import { escapeXml } from "../../assistant/check/formats/escape-xml.ts";
import type { Judgement, Verdict } from "../verdict/verdict.ts";

/** A verdict as a JUnit file: one test case for each requirement, its id first in the name. */
export function junitOf({ app, counts, duration, startedAt, results }: Verdict): string {
  // An inconclusive or flaky MUST is no certificate, so a CI job must not take it for a success.
  const isOpen = (each: Judgement) =>
    each.level === "MUST" && (each.status === "inconclusive" || each.status === "flaky");
  const failures = counts.fail + results.filter(isOpen).length;
  const skipped = results.filter(
    (each) => each.status === "not-applicable" || (each.status === "inconclusive" && !isOpen(each)),
  ).length;
  const totals = `tests="${results.length}" failures="${failures}" errors="${counts.error}" skipped="${skipped}"`;
  const suite = `name="${escapeXml(app ?? "app")}" ${totals} time="${duration.toFixed(3)}" timestamp="${startedAt}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="robot-app-assistant certify" ${totals}>`,
    `  <testsuite ${suite}>`,
    ...results.flatMap(caseOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf({ id, level, section, title, status, findings, reason, waiver }: Judgement): string[] {
  const text = findings.map(({ message, file, line }) => `${file}${line === null ? "" : `:${line}`}: ${message}`);
  const waived = waiver === null ? [] : [`waived by ${waiver.owner} until ${waiver.expires}: ${waiver.reason}`];
  const all = [...text, ...waived, ...(reason === null ? [] : [reason])].join("\n");
  const message = escapeXml(findings[0]?.message ?? reason ?? "");
  const failure = `<failure message="${message}" type="${status}">${escapeXml(all)}</failure>`;
  const skipped = `<skipped message="${message}"/>`;
  const output = `<system-out>${escapeXml(all)}</system-out>`;
  const inside = {
    pass: "",
    fail: failure,
    error: `<error message="${message}">${escapeXml(all)}</error>`,
    "not-applicable": skipped,
    inconclusive: level === "MUST" ? failure : skipped,
    flaky: level === "MUST" ? failure : output,
    // JUnit has no warnings.
    warn: output,
  }[status];
  const head = `    <testcase classname="${level}.${section}" name="${escapeXml(`${id} ${title}`)}"`;
  return [inside === "" ? `${head}/>` : `${head}>${inside}</testcase>`];
}
