import { escapeControls } from "../../assistant/escape-controls.ts";
import { type Judgement, type Measurement, OUTCOMES, type Outcome, type Verdict } from "../verdict/verdict.ts";

/** Where the verdict was written. */
interface OutputFiles {
  folder: string;
  files: readonly string[];
}

/** Colours a text. @param code of a terminal's colour, as in `ESC[32m` */
type Paint = (code: number, text: string) => string;

const GREY = 90;
const MARKS: Readonly<Record<Outcome, { mark: string; colour: number; word: string }>> = {
  pass: { mark: "✓", colour: 32, word: "passed" },
  fail: { mark: "✗", colour: 31, word: "failed" },
  warn: { mark: "!", colour: 33, word: "warnings" },
  flaky: { mark: "~", colour: 33, word: "flaky" },
  "not-applicable": { mark: "-", colour: 36, word: "not applicable" },
  inconclusive: { mark: "?", colour: 35, word: "inconclusive" },
  error: { mark: "E", colour: 35, word: "errors of the harness" },
};
const VERDICTS: Readonly<Record<Verdict["verdict"], string>> = {
  conformant: "Conformant: this is a robot app",
  "not-conformant": "Not conformant",
  inconclusive: "Inconclusive: not certified",
  error: "No verdict: the harness failed, which says nothing about the app",
};

/** A verdict as lines for a terminal. @param colour whether the terminal shows colours */
export function formatVerdict(verdict: Verdict, { folder, files }: OutputFiles, colour: boolean): string {
  const paint: Paint = (code, text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const measured = verdict.results.flatMap((result) => result.measured.map((each) => `  ${formatMeasurement(each)}`));
  const onlySome = verdict.only === null ? [] : [`  Only ${verdict.only.join(", ")} judged: no certification.`];
  const { sandbox, network, reason } = verdict.isolation;
  const why = reason === null ? "" : ` (${oneLine(reason)})`;
  const isolation = `isolation: ${sandbox}${why}, network ${network}`;
  const outputLines = [
    `  ${folder}/: ${files.join(", ")}`,
    `  seed ${verdict.seed}, ${verdict.duration.toFixed(0)} s, ${isolation}`,
  ];
  return [
    `${oneLine(verdict.app ?? "an app without a name")} ${paint(GREY, oneLine(verdict.folder))}`,
    ...verdict.results.flatMap((result) => resultLines(result, paint)),
    "",
    summaryLine(verdict, paint),
    ...onlySome,
    ...[...measured, ...outputLines].map((line) => paint(GREY, line)),
    "",
  ].join("\n");
}

function resultLines({ id, level, section, title, status, findings, reason }: Judgement, paint: Paint): string[] {
  const { mark, colour } = MARKS[status];
  const quiet = status === "pass" || status === "not-applicable";
  const head = `${paint(colour, mark)} ${id} ${quiet ? paint(GREY, title) : `${title} ${paint(GREY, `${level}, ${section}`)}`}`;
  const details = findings.map(({ file, line, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `    ${paint(colour, oneLine(place))}  ${oneLine(message)}`;
  });
  return [head, ...details, ...(reason === null ? [] : [`    ${status}: ${oneLine(reason)}`])];
}

function summaryLine({ verdict, counts }: Verdict, paint: Paint): string {
  const parts = OUTCOMES.flatMap((outcome) =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${MARKS[outcome].word}`] : [],
  );
  return `${paint(verdict === "conformant" ? 32 : 31, VERDICTS[verdict])}: ${parts.join(", ") || "nothing judged"}.`;
}

function formatMeasurement({ name, value, unit, limit }: Measurement): string {
  const number = (of: number) => (Math.abs(of) >= 100 ? of.toFixed(0) : of.toFixed(2).replace(/\.?0+$/, ""));
  return `${name} ${number(value)}${unit && ` ${unit}`}${limit === null ? "" : ` (limit ${number(limit)})`}`;
}

/** A text in which no character controls the terminal or ends the line: an app decides what its texts hold. */
const oneLine = (text: string): string => escapeControls(text).replaceAll("\n", "\\u000a");
