import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { sendSignal } from "../../../common/machine/machine.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import { readLines } from "../../../daemon/apps/watch/output.ts";
import type { LiveAppRun } from "../observe/live-app-run.ts";
import type { TestBed } from "../test-bed.ts";

/** How to start the app's Python without the daemon. */
interface LaunchOptions {
  /** Arguments of Python. */
  args: readonly string[];
  /** Working directory; made when it does not exist. */
  cwd: string;
  /** `closed` starts the process without a standard input. */
  stdin: "pipe" | "closed";
  /** What to do with lines of output that are reports of the launched program; none are unless given. */
  reports?: Reports;
}

/** Lines of output with a secret word are reports: they are not kept as lines of the app. */
interface Reports {
  secret: string;
  /** Is called with what follows the secret word. */
  onReport(run: LiveAppRun, what: string): void;
}

/** A process that was started without the daemon; `run` holds what is observed of it. */
interface Launched {
  run: LiveAppRun;
  signal(name: NodeJS.Signals): void;
  writeToStdin(text: string): void;
  /** Kills its process group. */
  kill(): void;
  /** Resolves once its output is read to the end. */
  outputRead: Promise<unknown>;
}

const CLOSING = ["/bin/sh", "-c", 'exec "$0" "$@" <&-'];

/** Runs the app's Python as a person at a terminal does. */
export async function launchApp(bed: TestBed, options: LaunchOptions): Promise<Launched> {
  const { args, cwd, stdin, reports } = options;
  const { host } = bed.options;
  await mkdir(cwd, { recursive: true });
  const command = [bed.rig.appPython.python, ...args];
  const [file = "", ...rest] = stdin === "closed" ? [...CLOSING, ...command] : command;
  const run = bed.log.beginAppRun();
  run.isHosted = false;
  const env = pythonEnvironment(host.env);
  const child = spawn(file, rest, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const kill = () => {
    if (!run.hasEnded) bed.signal(run, "SIGKILL");
    if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  };
  bed.onClose(kill);
  child.stdin.on("error", () => {});
  child.once("error", () => bed.log.endAppRun(run));
  child.once("exit", (code, signal) => {
    run.exitedAt = bed.now();
    run.exit = { code, signal };
    bed.log.endAppRun(run);
  });
  if (child.pid !== undefined) {
    bed.addOwnProcess(child.pid);
    bed.log.watchProcess(run, child.pid);
  }
  const addLine = (name: "stdout" | "stderr", line: string) => {
    // The app may have printed something before it, without the end of a line.
    const [text = "", report] = reports === undefined ? [line] : line.split(reports.secret, 2);
    if (report !== undefined) reports?.onReport(run, report.trim());
    if (report !== undefined && text === "") return;
    bed.log.recorder.line(host.now(), name, text);
    run.addLine(name, text);
  };
  const names = ["stdout", "stderr"] as const;
  const outputRead = Promise.all(names.map((name) => readLines(child[name], (line) => addLine(name, line))));
  return {
    run,
    signal: (name) => void child.kill(name),
    writeToStdin: (text) => void child.stdin.write(text),
    kill,
    outputRead,
  };
}
