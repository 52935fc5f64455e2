import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppRun } from "../../../robot/wire/apps/app-run.ts";

/** What the daemon notes in the log of an app, and what ends up in the list of its runs. */
const STARTED = /^started .*, process \d+$/;
const ENDED = /^(exited with code -?\d+|ended by SIG\w+)/;
const FAILED = /^failed: /;

/** Whether a run begins with a line. */
export const isStart = ({ from, text }: LogLine): boolean => from === "daemon" && STARTED.test(text);

/** The note of a run that failed. @param error of the slot: its first line says how */
export const failureNote = (error: string): string => `failed: ${error.split("\n", 1)[0]}`;

/**
 * Finds the runs in a log, oldest first, without keeping its lines. Lines before the first start belong to a run that was
 * rotated away.
 * @param onLine gets each line of each run
 */
export async function findRuns(
  log: AsyncIterable<readonly LogLine[]>,
  onLine = (_run: AppRun, _line: LogLine): void => {},
): Promise<AppRun[]> {
  const runs: AppRun[] = [];
  let lastError: string | null = null;
  for await (const lines of log)
    for (const line of lines) {
      const { time, from, text } = line;
      const note = from === "daemon" ? text : "";
      if (isStart(line)) {
        runs.push({ started: time, ended: null, result: null, cause: null, lines: 0 });
        lastError = null;
      }
      const run = runs.at(-1);
      if (run === undefined) continue;
      run.lines += 1;
      if (from === "stderr" && text.trim() !== "") lastError = text;
      if (run.ended === null && ENDED.test(note)) [run.ended, run.result] = [time, note];
      if (FAILED.test(note)) run.cause ??= lastError ?? note.replace(FAILED, "");
      onLine(run, line);
    }
  return runs;
}
