import type { Report, Result, Status } from "./check-app.ts";

const MARKS: Readonly<Record<Status, { mark: string; colour: number }>> = {
  pass: { mark: "✓", colour: 32 },
  fail: { mark: "✗", colour: 31 },
  warn: { mark: "!", colour: 33 },
  skip: { mark: "-", colour: 36 },
  error: { mark: "?", colour: 35 },
};

const GREY = 90;

/** A report for a person's terminal. File names and parsers' words come from the app: control characters are shown, not obeyed. */
export function showReport(report: Report, colour: boolean): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const head = `${report.app ?? "an app without a name"} ${paint(GREY, report.folder)}`;
  return [head, ...report.results.flatMap((result) => linesOf(result, paint)), "", closing(report, paint), ""].join(
    "\n",
  );
}

type Paint = (code: number, text: string) => string;

function linesOf({ id, level, section, title, status, findings, reason }: Result, paint: Paint): string[] {
  const { mark, colour } = MARKS[status];
  const quiet = status === "pass" || status === "skip";
  const head = `${paint(colour, mark)} ${id} ${quiet ? paint(GREY, title) : `${title} ${paint(GREY, `${level}, ${section}`)}`}`;
  const details = findings.map(({ file, line, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `    ${paint(colour, harmless(place))}  ${harmless(message)}`;
  });
  return [head, ...details, ...(reason === null ? [] : [`    ${status}: ${harmless(reason)}`])];
}

function closing({ verdict, counts }: Report, paint: Paint): string {
  const parts = [
    `${counts.pass} passed`,
    ...(counts.fail > 0 ? [`${counts.fail} failed`] : []),
    ...(counts.warn > 0 ? [`${counts.warn} to think about`] : []),
    ...(counts.skip > 0 ? [`${counts.skip} could not be told`] : []),
    ...(counts.error > 0 ? [`${counts.error} broke in the check itself: please report it`] : []),
  ].join(", ");
  const said = { conformant: "This is a robot app", "not-conformant": "Not yet a robot app", error: "No verdict" }[
    verdict
  ];
  return `${paint(verdict === "conformant" ? 32 : 31, said)}: ${parts}.`;
}

function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD");
}
