// A tool's output is kept and sent in bounded parts, however much there is of it.
import { join } from "node:path";
import { type JsonAnswer, until } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";
import { measureDaemon, reportWatch } from "../../attack-tools.ts";
import { beginInstall, jobEnd, writeProject } from "../../install-tools.ts";

/** Prints 50 MB in lines of 8000 characters. */
const SETUP = `
import sys
line = "x" * 7999 + "\\n"
for _ in range(6250):
    sys.stderr.write(line)
from setuptools import setup
setup()
`;
const LINES = 6250;

/** Reads the events until the signal aborts. */
async function readJobEvents(url: string, signal: AbortSignal) {
  let [bytes, events, isCutOff] = [0, 0, false];
  try {
    const { body } = await fetch(`${url}/api/events`, { signal });
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      events += Buffer.from(chunk).toString().split("event: job").length - 1;
    }
    isCutOff = true;
  } catch {
    isCutOff = !signal.aborted;
  }
  return { megabytes: bytes / 1e6, events, isCutOff };
}

/** The first event of a job for a client that connects now. */
async function firstJobEvent(url: string): Promise<JsonAnswer> {
  const connection = new AbortController();
  let text = "";
  try {
    const { body } = await fetch(`${url}/api/events`, { signal: connection.signal });
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      const data = /event: job\ndata: (.*)\n/.exec(text)?.[1];
      if (data !== undefined) return JSON.parse(data);
    }
  } finally {
    connection.abort();
  }
}

export default {
  title: "a build prints 50 MB",
  dataFolder: "own",
  // Otherwise pip keeps the output of a build until that fails, and then takes two gigabytes to print it.
  env: { PIP_VERBOSE: "1" },
  async run({ daemon, folder, seconds, row }) {
    const end = new AbortController();
    const reading = readJobEvents(daemon.url, end.signal);
    try {
      const job = await beginInstall(
        daemon,
        await writeProject(join(folder, "noisy_app"), { name: "noisy_app", setup: SETUP }),
      );
      await until("lines", 60_000, async () => (await daemon.get(`/api/apps/job-status/${job}`)).log_lines >= 200);
      const { new_logs } = await firstJobEvent(daemon.url);
      row("lines for a client that joins", new_logs.length, "200", new_logs.length === 200);
      const measured = await measureDaemon(daemon, seconds);
      const { status, logs, log_lines } = await jobEnd(daemon, job);
      reportWatch(row, measured);
      row(
        "the install",
        `${status}, ${log_lines} lines`,
        `done, ${LINES} or more`,
        status === "done" && log_lines >= LINES,
      );
      row("lines that are kept", logs.length, "at most 200", logs.length <= 200);
    } finally {
      end.abort();
    }
    const { megabytes, events, isCutOff } = await reading;
    row("a reader of events", isCutOff ? "cut off" : `${events} events of jobs`, "not cut off", !isCutOff);
    row("events", `${megabytes.toFixed(1)} MB`, "at most 50 MB", megabytes <= 50);
  },
} satisfies Attack;
