import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { sendSignal } from "../../../common/machine/machine.ts";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

interface OwnDaemonOptions {
  packageFolder: string;
  /** Options of robot-daemon besides --sim. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Called with each step that the daemon prints until it is ready. */
  onProgress(line: string): void;
  signal: AbortSignal;
}

interface OwnDaemon {
  url: string;
  /** Settles with what it printed last when it has ended, also when it was not asked to. */
  ended: Promise<string>;
  /** Stops the app, puts the robot to sleep, and resolves when the daemon has ended. */
  close(): Promise<void>;
}

/**
 * Runs the daemon as long as standard input is open: it ends with this program, even when this program is killed. A
 * group of its own keeps the terminal's Ctrl-C from it, so that the app is stopped in order.
 */
const SUPERVISOR = `exec 3<&0
"$@" </dev/null 3<&- &
daemon=$!
( while read -r _ <&3; do :; done; kill -TERM "$daemon" 2>/dev/null ) &
watcher=$!
exec 3<&-
wait "$daemon"
code=$?
kill "$watcher" 2>/dev/null
exit $code`;

/** Time for a daemon to end: the app's grace period, the robot's way to sleep, a busy machine. */
const END_MS = 40_000;
/** A line of the daemon about a long step, such as the first creation of the Python environment. */
const STEP = /^\s+(?:…|ok|FAILED)\s/;
/** The line of the daemon's greeting that has its address. */
const GREETING = /^ *Dashboard +(http:\/\/127\.0\.0\.1:\d+)\/$/m;
/** Characters of the output that an error shows. */
const SHOWN = 2000;

/**
 * Starts a daemon with a simulated robot and waits until it answers; the first start creates the Python environment.
 * @throws WorkbenchError `daemon-failed` with what it printed; the signal's reason
 */
export async function startOwnDaemon(options: OwnDaemonOptions): Promise<OwnDaemon> {
  const { packageFolder, args, env, signal } = options;
  const program = path.join(packageFolder, "bin/robot-daemon.mjs");
  const command = [process.execPath, program, "--sim", ...args];
  const child = spawn("/bin/sh", ["-c", SUPERVISOR, "robot-daemon", ...command], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...env },
  });
  let output = "";
  let isReady = false;
  const keep = (bytes: Buffer): void => {
    output = (output + bytes).slice(-20 * SHOWN);
  };
  const started = new Promise<string>((resolve) => {
    child.stdout.on("data", (bytes: Buffer) => {
      keep(bytes);
      const [, url] = GREETING.exec(output) ?? [];
      if (isReady || url === undefined) return;
      isReady = true;
      resolve(url);
    });
  });
  child.stderr.on("data", (bytes: Buffer) => {
    keep(bytes);
    if (isReady) return;
    for (const line of String(bytes).split("\n")) if (STEP.test(line)) options.onProgress(line);
  });
  child.stdin.on("error", () => {}); // it ended before
  const ended = once(child, "exit").then(() => {
    child.stdin.destroy();
    return output.slice(-SHOWN);
  });

  const close = async (): Promise<void> => {
    child.stdin.end();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
        resolve();
      }, END_MS);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
  };
  const failed = ended.then((text) => {
    throw new WorkbenchError("daemon-failed", `The robot-daemon ended before it was ready:\n${text.trim()}`);
  });
  failed.catch(() => {});
  try {
    return { url: await rejectOnAbort(Promise.race([started, failed]), signal), ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}
