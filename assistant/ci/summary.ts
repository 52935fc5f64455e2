import { escapeControls } from "../escape-controls.ts";
import type { Report, Result } from "./verdict-files.ts";

export interface SummaryOptions {
  /** Name of the artifact that has the report. */
  artifact: string;
}

const MARKS: Readonly<Record<string, string>> = {
  pass: "✅",
  fail: "❌",
  warn: "⚠️",
  flaky: "🔁",
  skip: "➖",
  "not-applicable": "➖",
  inconclusive: "❔",
  error: "💥",
};

const HEADS: Readonly<Record<string, string>> = {
  conformant: "conformant",
  "not-conformant": "not conformant",
  inconclusive: "inconclusive",
  error: "no verdict",
};

/**
 * A job's summary in Markdown, as GitHub shows it: the verdict, a picture of the test runs, and what is not met. `check`
 * stands in for what was not certified.
 */
export function jobSummary(check: Report, verdict: Report | null, { artifact }: SummaryOptions): string {
  const report = verdict ?? check;
  const counts = countStatuses(report.results);
  const mark = report.verdict === "conformant" ? "✅" : "❌";
  const what = verdict === null ? "check" : "certification";
  const open = report.results.filter(({ status }) => status !== "pass" && status !== "not-applicable");
  return [
    `## ${mark} ${cell(report.app ?? "an app without a name")}: ${HEADS[report.verdict] ?? report.verdict}`,
    "",
    `${what}: ${counts.map(([status, count]) => `${count} ${status}`).join(", ")}`,
    ...(verdict === null ? [] : ["", ...picture(verdict)]),
    ...(open.length === 0 ? [] : ["", ...table(open)]),
    "",
    ...(verdict === null ? [] : [`seed ${verdict.seed}, digest \`${verdict.digest}\``, ""]),
    `The artifact **${cell(artifact)}** has ${verdict === null ? "check.sarif" : "report.html, to replay the test runs"}.`,
    "",
  ].join("\n");
}

function countStatuses(results: readonly Result[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts];
}

/** The outcomes as a diagram, which GitHub draws. */
function picture({ results }: Report): string[] {
  const slices = countStatuses(results).map(([status, count]) => `  "${status}" : ${count}`);
  return ["```mermaid", "pie showData", "  title Requirements", ...slices, "```"];
}

function table(results: readonly Result[]): string[] {
  const rows = results.map(({ id, level, title, status, findings, reason }) => {
    const places = findings.map(
      ({ file, line, message }) => `\`${cell(file)}${line === null ? "" : `:${line}`}\` ${cell(message)}`,
    );
    const said = [...places, ...(reason === null ? [] : [cell(reason)])].join("<br>");
    return `| ${MARKS[status] ?? ""} ${id} | ${level} | ${cell(title)} | ${said} |`;
  });
  return ["| requirement | level | | what was found |", "|---|---|---|---|", ...rows];
}

/** Text of an app for a cell of a table: no Markdown, no HTML, one line. */
const cell = (text: string): string =>
  escapeControls(text)
    .replaceAll("\n", " ")
    .replace(/[<>&]/g, (mark) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[mark] ?? mark)
    .replace(/[|`*_[\]\\]/g, "\\$&");
