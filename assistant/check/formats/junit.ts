import type { Finding } from "../requirement.ts";
import { type Format, placeOf } from "./format.ts";

/** What a test case counts as; `output` is a passed one with text. */
export type JunitKind = "passed" | "failure" | "error" | "skipped" | "output";

export interface JunitCase {
  kind: JunitKind;
  classname: string;
  name: string;
  /** In one sentence, why it did not pass. */
  message: string;
  /** All that is known of it. */
  lines: readonly string[];
  type?: string;
}

/**
 * A JUnit file with one suite.
 * @param program what the cases are from, for example `robot-app-assistant check`
 * @param attributes further attributes of the suite
 */
export function junitFile(program: string, app: string | null, cases: readonly JunitCase[], attributes = ""): string {
  const count = (wanted: JunitKind) => cases.filter(({ kind }) => kind === wanted).length;
  const totals = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${program}" ${totals}>`,
    `  <testsuite name="${escapeXml(app ?? "app")}" ${totals}${attributes}>`,
    ...cases.map(elementOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Findings as lines, each with its place. @param folder the app's folder relative to the working directory */
export const linesOfFindings = (findings: readonly Finding[], folder: string): string[] =>
  findings.map(({ message, file, line }) => `${placeOf(folder, file)}${line === null ? "" : `:${line}`}: ${message}`);

function elementOf({ kind, classname, name, message, lines, type }: JunitCase): string {
  const all = escapeXml(lines.join("\n"));
  const attributes = `message="${escapeXml(message)}"${type === undefined ? "" : ` type="${type}"`}`;
  const inside = {
    passed: "",
    failure: `<failure ${attributes}>${all}</failure>`,
    error: `<error ${attributes}>${all}</error>`,
    skipped: `<skipped ${attributes}/>`,
    output: `<system-out>${all}</system-out>`,
  }[kind];
  const head = `    <testcase classname="${classname}" name="${escapeXml(name)}"`;
  return inside === "" ? `${head}/>` : `${head}>${inside}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Escapes text for elements and attributes; characters that XML 1.0 does not allow are replaced. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
}

const KINDS = { pass: "passed", fail: "failure", warn: "output", skip: "skipped", error: "error" } as const;

/** A JUnit file: one test case for each requirement, its id first in the name. A warning is a passed case with output. */
export const formatJunit: Format = ({ app, results }, { prefix }) =>
  junitFile(
    "robot-app-assistant check",
    app,
    results.map(({ id, level, section, title, status, findings, reason }) => ({
      kind: KINDS[status],
      classname: `${level}.${section}`,
      name: `${id} ${title}`,
      message: findings[0]?.message ?? reason ?? "",
      lines: [...linesOfFindings(findings, prefix), ...(reason === null ? [] : [reason])],
    })),
  );
