// A tool's output is kept and sent in bounded parts, however much there is of it.
import { join } from "node:path";
import { watch } from "../attack-tools.mjs";
import { beginInstall, jobEnd, projectFolder, writeProject } from "../install-tools.mjs";

/**
 * 100 MB in lines of 100 characters, straight to the output of the tool, which is its parent: pip itself keeps the output
 * of a build to show it when that fails, for which it takes two gigabytes and minutes.
 */
const SETUP = `
import os
if not os.path.exists("printed"):
    open("printed", "w").close()
    line = "x" * 99 + "\\n"
    with open(f"/proc/{os.getppid()}/fd/1", "w") as output:
        for _ in range(10_000):
            output.write(line * 100)
from setuptools import setup
setup()
`;

/** Reads the events until the signal aborts. @param {string} url @param {AbortSignal} signal */
async function readJobEvents(url, signal) {
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

/** @type {import("../attack.mjs").Attack} */
export default {
  title: "a build prints 100 MB",
  dataFolder: "own",
  async run({ daemon, seconds, row }) {
    const { folder, remove } = projectFolder();
    const end = new AbortController();
    const reading = readJobEvents(daemon.url, end.signal);
    try {
      const job = await beginInstall(
        daemon,
        writeProject(join(folder, "noisy_app"), { name: "noisy_app", setup: SETUP }),
      );
      const { growth, slowest } = await watch(daemon, seconds);
      const { status, logs, log_lines } = await jobEnd(daemon, job);
      row("memory of the main process", `+${growth.toFixed(0)} MB`, "at most +80 MB", growth <= 80);
      row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
      row("the install", `${status}, ${log_lines} lines`, "done, a million", status === "done" && log_lines > 1e6);
      row("lines that are kept", logs.length, "at most 200", logs.length <= 200);
    } finally {
      end.abort();
      remove();
    }
    const { megabytes, events, isCutOff } = await reading;
    row("a reader of events", isCutOff ? "cut off" : `${events} events of jobs`, "not cut off", !isCutOff);
    row("events", `${megabytes.toFixed(1)} MB`, "at most 50 MB", megabytes <= 50);
  },
};
