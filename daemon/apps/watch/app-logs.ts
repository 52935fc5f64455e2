import type { Clock } from "../../../common/time/clock.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppRun } from "../../../robot/wire/apps/app-run.ts";
import { problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import { formatForMessage } from "../../../robot/wire/validation/format-for-message.ts";
import type { AppFinder } from "../catalogue/app-finder.ts";
import { isAppName } from "../catalogue/names.ts";
import type { LogFiles } from "./log-files.ts";

interface AppLogsParts {
  files: LogFiles;
  finder: AppFinder;
  clock: Clock;
  onLine(line: LogLine): void;
}

/** The logs of the apps: what they printed, and what the daemon notes about them. */
export class AppLogs {
  readonly #parts: AppLogsParts;

  constructor(parts: AppLogsParts) {
    this.#parts = parts;
  }

  /** Adds a line to its app's log. */
  add(line: LogLine): void {
    this.#parts.files.write(line);
    this.#parts.onLine(line);
  }

  /** Adds a note of the daemon to an app's log. */
  addNote(app: string, text: string): void {
    this.add({ time: this.#parts.clock.unixTime(), app, from: "daemon", text });
  }

  /**
   * The last lines of an app, by any spelling of its name, also of earlier runs and of an app that was removed; oldest
   * first, in pieces.
   * @param count maximum number of lines
   * @param signal aborts when nobody waits for them any more
   * @param onBegin is called right before the log is read
   * @throws WorkbenchError `app-not-found` for a text that cannot be an app's name
   */
  async *readPieces(
    name: string,
    count = 200,
    signal?: AbortSignal,
    onBegin: () => void = () => {},
  ): AsyncGenerator<LogLine[]> {
    yield* this.#parts.files.readPieces(await this.#nameOf(name), count, signal, onBegin);
  }

  /** Those of its last lines that belong to the last run of an app. @param count maximum number @throws as `readPieces` */
  async readLastRun(name: string, count: number, signal?: AbortSignal): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    for await (const piece of this.readPieces(name, count, signal)) lines.push(...piece);
    return lines.slice(Math.max(0, lines.findLastIndex(isStart)));
  }

  async #nameOf(name: string): Promise<string> {
    if (!isAppName(name))
      throw new WorkbenchError("app-not-found", `${formatForMessage(name)} cannot be the name of an app.`);
    // Cheaper than a look at all installed apps, which hundreds of clients may ask for at once.
    if (await this.#parts.files.has(name)) return name;
    const known = await this.#parts.finder.findInstalled(name).catch((error: unknown) => {
      if (problemOf(error).code !== "app-not-found") throw error;
      return { info: { name } };
    });
    return known.info.name;
  }

  /** The runs of an app that its log still has, the newest first. @throws WorkbenchError as `readPieces` */
  async runs(name: string, signal?: AbortSignal): Promise<AppRun[]> {
    return (await findRuns(this.readPieces(name, Number.POSITIVE_INFINITY, signal))).reverse();
  }

  /**
   * The last lines of one run.
   * @param started names the run, as in `runs`
   * @throws WorkbenchError `run-not-found`; as `readPieces`
   */
  async readRun(name: string, started: number, count: number, signal?: AbortSignal): Promise<LogLine[]> {
    let lines: LogLine[] = [];
    await findRuns(this.readPieces(name, Number.POSITIVE_INFINITY, signal), (run, line) => {
      if (run.started !== started) return;
      lines.push(line);
      if (lines.length >= 2 * count) lines = lines.slice(-count);
    });
    if (lines.length > 0) return lines.slice(-count);
    const next = `GET /api/apps/runs/${name} lists those that it has`;
    throw new WorkbenchError("run-not-found", `The log of ${name} has no run that started at ${started}: ${next}.`);
  }
}

/** What the daemon notes in the log of an app, and what ends up in the list of its runs. */
const STARTED = /^started .*, process \d+$/;
const ENDED = /^(exited with code -?\d+|(?:was )?ended by SIG\w+|was not ended by SIGKILL)/;
const FAILED = /^failed: /;

/** Whether a run begins with a line. */
const isStart = ({ from, text }: LogLine): boolean => from === "daemon" && STARTED.test(text);

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
