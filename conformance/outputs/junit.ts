import type { Judgement, Verdict } from "../verdict/verdict.ts";

/** A verdict as a JUnit file: a test case a requirement, its id first in the name. */
export function junitOf({ app, counts, duration, startedAt, results }: Verdict): string {
  const totals = `tests="${results.length}" failures="${counts.fail}" errors="${counts.error}" skipped="${counts.skip}"`;
  const suite = `name="${xml(app ?? "app")}" ${totals} time="${duration.toFixed(3)}" timestamp="${startedAt}"`;
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
  const message = xml(findings[0]?.message ?? reason ?? "");
  const inside = {
    pass: "",
    fail: `<failure message="${message}">${xml(all)}</failure>`,
    error: `<error message="${message}">${xml(all)}</error>`,
    skip: `<skipped message="${message}"/>`,
    // JUnit knows no warnings; what somebody wants to read is kept all the same.
    warn: `<system-out>${xml(all)}</system-out>`,
  }[status];
  const head = `    <testcase classname="${level}.${section}" name="${xml(`${id} ${title}`)}"`;
  return [inside === "" ? `${head}/>` : `${head}>${inside}</testcase>`];
}

/** Text inside of elements and attributes; characters that XML 1.0 has no way to write are replaced. */
function xml(text: string): string {
  const ENTITIES: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
  };
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
}
