import { showReport } from "../../assistant/check/show.ts";
import type { Measurement, Verdict } from "../verdict/verdict.ts";

/** Where the verdict was written, for the last lines. */
export interface Written {
  folder: string;
  files: readonly string[];
}

/** A verdict for a person's terminal. */
export function showVerdict(verdict: Verdict, { folder, files }: Written, colour: boolean): string {
  const grey = (text: string) => (colour ? `\x1b[90m${text}\x1b[0m` : text);
  const measured = verdict.results.flatMap((result) => result.measured.map((each) => `  ${figure(each)}`));
  const waived = verdict.results.flatMap(({ id, waiver }) =>
    waiver === null ? [] : [`  ${id} is waived by ${waiver.owner} until ${waiver.expires}: ${waiver.reason}`],
  );
  const stale = verdict.staleWaivers.map(({ requirement, why, expires, owner }) =>
    why === "expired"
      ? `  The waiver of ${requirement} (${owner}) expired on ${expires}.`
      : `  The waiver of ${requirement} (${owner}) is not needed: take it out.`,
  );
  const part = verdict.only === null ? [] : [`  Only ${verdict.only.join(", ")} judged: no certification.`];
  const places = [`  ${folder}/: ${files.join(", ")}`, `  seed ${verdict.seed}, ${verdict.duration.toFixed(0)} s`];
  return [
    showReport(verdict, colour).trimEnd(),
    ...waived,
    ...stale,
    ...part,
    ...[...measured, ...places].map(grey),
    "",
  ].join("\n");
}

function figure({ name, value, unit, limit }: Measurement): string {
  const number = (of: number) => (Math.abs(of) >= 100 ? of.toFixed(0) : of.toFixed(2).replace(/\.?0+$/, ""));
  return `${name} ${number(value)}${unit && ` ${unit}`}${limit === null ? "" : ` (limit ${number(limit)})`}`;
}
