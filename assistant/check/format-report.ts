import { escapeControls } from "../escape-controls.ts";
import type { CheckReport, CheckStatus, RequirementResult } from "./check-app.ts";

const MARKS: Readonly<Record<CheckStatus, { mark: string; colour: number }>> = {
  pass: { mark: "✓", colour: 32 },
  fail: { mark: "✗", colour: 31 },
  warn: { mark: "!", colour: 33 },
  skip: { mark: "-", colour: 36 },
  error: { mark: "?", colour: 35 },
};

const GREY = 90;

const VERDICTS: Readonly<Record<CheckReport["verdict"], string>> = {
  conformant: "This is a robot app",
  "not-conformant": "Not yet a robot app",
  error: "No verdict",
};

export function formatReport(report: CheckReport, colour: boolean): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const head = `${oneLine(report.app ?? "an app without a name")} ${paint(GREY, oneLine(report.folder))}`;
  const results = report.results.flatMap((result) => resultLines(result, paint));
  return [head, ...results, "", summaryLine(report, paint), ""].join("\n");
}

type Paint = (code: number, text: string) => string;

function resultLines({ id, level, section, title, status, findings, reason }: RequirementResult, paint: Paint) {
  const { mark, colour } = MARKS[status];
  const quiet = status === "pass" || status === "skip";
  const head = `${paint(colour, mark)} ${id} ${quiet ? paint(GREY, title) : `${title} ${paint(GREY, `${level}, ${section}`)}`}`;
  const details = findings.map(({ file, line, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `    ${paint(colour, oneLine(place))}  ${oneLine(message)}`;
  });
  return [head, ...details, ...(reason === null ? [] : [`    ${status}: ${oneLine(reason)}`])];
}

function summaryLine({ verdict, counts, leftOut }: CheckReport, paint: Paint): string {
  const warnings = counts.warn === 1 ? "1 warning" : `${counts.warn} warnings`;
  const parts = [
    `${counts.pass} passed`,
    ...(counts.fail > 0 ? [`${counts.fail} failed`] : []),
    ...(counts.warn > 0 ? [warnings] : []),
    ...(counts.skip > 0 ? [`${counts.skip} skipped`] : []),
    ...(counts.error > 0 ? [`${counts.error} broke in the check itself: please report it`] : []),
  ].join(", ");
  const partial = verdict === "conformant" && leftOut.length > 0;
  const word = partial ? "Nothing found in the selected rules" : VERDICTS[verdict];
  const left = leftOut.length > 0 ? ` Not checked: ${leftOut.join(", ")}.` : "";
  return `${paint(verdict === "conformant" ? 32 : 31, word)}: ${parts}.${left}`;
}

const oneLine = (text: string): string => escapeControls(text).replaceAll("\n", "\\u000a");
