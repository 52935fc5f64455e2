import { escapeControls } from "../escape-controls.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import type { Report, Result } from "./read-report.ts";

export interface SummaryOptions {
  /** Name of the artifact that has the report. */
  artifact: string;
  /** Whether a certification was asked for. */
  certification: boolean;
}

const STATUS_ICONS: Readonly<Record<string, string>> = {
  pass: "✅",
  fail: "❌",
  warn: "⚠️",
  flaky: "🔁",
  skip: "➖",
  "not-applicable": "➖",
  inconclusive: "❔",
  error: "💥",
};

const VERDICT_TITLES: Readonly<Record<string, string>> = {
  conformant: "conformant",
  "not-conformant": "not conformant",
  inconclusive: "inconclusive",
  error: "no verdict",
};

/**
 * A job's summary in Markdown, as GitHub shows it: the verdict, how many requirements have each status (a pie chart after a
 * certification), and those that did not pass.
 * @param verdict of the certification; null when it did not run, or ended before it wrote one
 */
export function jobSummary(check: Report, verdict: Report | null, options: SummaryOptions): string {
  const { artifact } = options;
  const report = verdict ?? check;
  const counts = countStatuses(report.results);
  const kind = verdict === null ? "check" : "certification";
  const notPassed = report.results.filter(({ status }) => status !== "pass" && status !== "not-applicable");
  const { heading, note } = outcomeOf(check, verdict, options);
  const [icon, title] = heading;
  return [
    `## ${icon} ${escapeMarkdown(report.app ?? "an app without a name")}: ${title}`,
    "",
    ...(note === undefined ? [] : [note, ""]),
    `${kind}: ${counts.map(([status, count]) => `${count} ${status}`).join(", ")}`,
    ...(verdict === null ? [] : ["", ...pieChart(verdict)]),
    ...(notPassed.length === 0 ? [] : ["", ...table(notPassed)]),
    "",
    ...(verdict === null ? [] : [`seed ${verdict.seed}, digest \`${verdict.digest}\``, ""]),
    `The artifact **${escapeMarkdown(artifact)}** has ${verdict === null ? "check.sarif" : "report.html, to replay the test runs"}.`,
    "",
  ].join("\n");
}

interface Outcome {
  heading: readonly [string, string];
  /** What the verdict does not cover, or why there is none. */
  note?: string;
}

/** What the summary says at its top: only a verdict on everything that was asked for reads "conformant". */
function outcomeOf(check: Report, verdict: Report | null, { certification }: SummaryOptions): Outcome {
  const { verdict: word, only, leftOut = [] } = verdict ?? check;
  const heading = word === "conformant" ? (["✅", "conformant"] as const) : (["❌", titleOf(word)] as const);
  const part = ["➖", "nothing found in a part of the requirements"] as const;
  if (verdict === null && certification && word === "conformant")
    return {
      heading: ["❌", titleOf("error")],
      note: "The certification ended before it wrote a verdict: the job's log has its error.",
    };
  if (verdict !== null && only !== null && only !== undefined) {
    const note = `Judged: ${listOf(only)}. A part of the requirements is no certification.`;
    return { heading: word === "conformant" ? part : heading, note };
  }
  if (verdict === null && leftOut.length > 0)
    return { heading: word === "conformant" ? part : heading, note: `Not checked: ${listOf(leftOut)}.` };
  return { heading };
}

const titleOf = (verdict: string): string => VERDICT_TITLES[verdict] ?? escapeMarkdown(verdict);

const listOf = (ids: readonly string[]): string => ids.map(escapeMarkdown).join(", ");

function countStatuses(results: readonly Result[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts];
}

/** How many requirements have each status, as a Mermaid diagram that GitHub draws. */
function pieChart({ results }: Report): string[] {
  const slices = countStatuses(results).map(([status, count]) => `  "${status}" : ${count}`);
  return ["```mermaid", "pie showData", "  title Requirements", ...slices, "```"];
}

function table(results: readonly Result[]): string[] {
  const rows = results.map(({ id, level, title, status, findings, reason }) => {
    const places = findings.map(
      ({ file, line, message }) =>
        `${codeSpan(`${file}${line === null ? "" : `:${line}`}`)} ${escapeMarkdown(message)}`,
    );
    const found = [...places, ...(reason === null ? [] : [escapeMarkdown(reason)])].join("<br>");
    return `| ${STATUS_ICONS[status] ?? ""} ${id} | ${level} | ${escapeMarkdown(title)} | ${found} |`;
  });
  return ["| requirement | level | | what was found |", "|---|---|---|---|", ...rows];
}

/** Text of an app in one line as code: nothing in it is escaped but the border of a table's cell. */
function codeSpan(text: string): string {
  const line = escapeControls(text).replaceAll("\n", " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}
