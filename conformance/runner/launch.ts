import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pythonEnvironment } from "../../daemon/apps/start/environment.ts";
import { pumpLines } from "../../daemon/apps/watch/output.ts";
import type { AppRun } from "./app-run.ts";
import type { Stage } from "./stage.ts";

/** How a process of the app's Python is started without the daemon. */
export interface LaunchOptions {
  /** Of Python. */
  args: readonly string[];
  /** Folder to run in; made when it is not there. */
  cwd: string;
  /** `closed` is what it says: there is no standard input at all. */
  stdin: "pipe" | "closed";
}

/** A process that was started without the daemon; the stage keeps its notes in `run`. */
export interface Launched {
  run: AppRun;
  signal(name: NodeJS.Signals): void;
  /** Writes to its standard input. */
  say(text: string): void;
  /** Kills its process group. */
  kill(): void;
}

const CLOSING = ["/bin/sh", "-c", 'exec "$0" "$@" <&-'];

/** Runs the app's Python as a person at a terminal would. */
export async function launch(stage: Stage, { args, cwd, stdin }: LaunchOptions): Promise<Launched> {
  const { venv, host } = stage.options;
  await mkdir(cwd, { recursive: true });
  const command = [join(venv, "bin/python"), ...args];
  const [file = "", ...rest] = stdin === "closed" ? [...CLOSING, ...command] : command;
  const run = stage.notes.begin();
  const env = { ...pythonEnvironment(host.env), ...stage.environment() };
  const child = spawn(file, rest, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  };
  stage.atEnd(kill);
  child.stdin.on("error", () => {});
  child.once("error", () => stage.notes.end(run));
  child.once("exit", (code, signal) => {
    run.endedAt = stage.now();
    run.exit = { code, signal };
    stage.notes.end(run);
  });
  if (child.pid !== undefined) stage.notes.watch(run, child.pid);
  for (const name of ["stdout", "stderr"] as const) {
    void pumpLines(child[name], (text) => {
      stage.notes.record.line(host.now(), name, text);
      run.line(name, text);
    });
  }
  return { run, signal: (name) => void child.kill(name), say: (text) => void child.stdin.write(text), kill };
}
