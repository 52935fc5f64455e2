import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppRun } from "../../../robot/wire/apps/app-run.ts";

/** What the daemon notes in the log of an app, and what ends up in the list of its runs. */
const STARTED = /^started .*, process \d+$/;
const ENDED = /^(exited with code -?\d+|ended by SIG\w+)/;
const FAILED = /^failed: /;

/** The note of a run that failed. @param error of the slot: its first line says how */
export const failureNote = (error: string): string => `failed: ${error.split("\n", 1)[0]}`;

/** The runs in a log, oldest first, each with its lines. Lines before the first start belong to a run that was rotated away. */
export function runsIn(log: readonly LogLine[]): { run: AppRun; lines: readonly LogLine[] }[] {
  const starts = log.flatMap(({ from, text }, at) => (from === "daemon" && STARTED.test(text) ? [at] : []));
  return starts.map((from, index) => {
    const lines = log.slice(from, starts[index + 1]);
    return { run: describeRun(lines), lines };
  });
}

function describeRun(lines: readonly LogLine[]): AppRun {
  const notes = lines.filter(({ from }) => from === "daemon");
  const end = notes.find(({ text }) => ENDED.test(text));
  const failure = notes.find(({ text }) => FAILED.test(text))?.text.replace(FAILED, "") ?? null;
  const lastError = lines.findLast(({ from, text }) => from === "stderr" && text.trim() !== "")?.text;
  return {
    started: lines[0]?.time ?? 0,
    ended: end?.time ?? null,
    result: end?.text ?? null,
    cause: failure === null ? null : (lastError ?? failure),
    lines: lines.length,
  };
}
