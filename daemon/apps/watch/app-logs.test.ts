import { expect, test } from "vitest";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import { failureNote, findRuns } from "./app-logs.ts";

let time = 0;
const line = (from: LogLine["from"], text: string): LogLine => ({ time: ++time, app: "hello", from, text });
const start = (pid: number) => line("daemon", `started apps_venv/bin/python -u -m hello.main, process ${pid}`);

/** The log in pieces of so many lines. */
async function* inPieces(log: readonly LogLine[], size: number) {
  for (let from = 0; from < log.length; from += size) yield log.slice(from, from + size);
}

test.each([1, 4, 100])(
  "the runs of a log in pieces of %d lines begin with their starts and name their ends",
  async (size) => {
    time = 0;
    const log = [
      line("stdout", "of a run that was rotated away"),
      start(10),
      line("stdout", "started nothing, process 3"),
      line("daemon", "exited with code 0"),
      line("daemon", "left 1 processes behind; they were ended"),
      start(11),
      line("stderr", "Traceback (most recent call last):"),
      line("stderr", "ValueError: no"),
      line("stderr", ""),
      line("daemon", "exited with code 1"),
      line("daemon", failureNote("The app exited with code 1.\nTraceback")),
      start(12),
      line("daemon", "was ended by SIGKILL, after it had ignored SIGINT for the grace period"),
      line("daemon", failureNote("The app did not end on SIGINT within the grace period.")),
      start(13),
      line("stdout", "runs"),
    ];
    const texts: string[] = [];
    const runs = await findRuns(inPieces(log, size), ({ started }, { text }) => {
      if (started === 6) texts.push(text);
    });
    expect(runs).toEqual([
      { started: 2, ended: 4, result: "exited with code 0", cause: null, lines: 4 },
      { started: 6, ended: 10, result: "exited with code 1", cause: "ValueError: no", lines: 6 },
      {
        started: 12,
        ended: 13,
        result: "was ended by SIGKILL, after it had ignored SIGINT for the grace period",
        cause: "The app did not end on SIGINT within the grace period.",
        lines: 3,
      },
      { started: 15, ended: null, result: null, cause: null, lines: 2 },
    ]);
    expect(texts).toEqual(log.slice(5, 11).map(({ text }) => text));
  },
);
