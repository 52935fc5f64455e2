import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type DaemonUnderTest, type DaemonWish, NO_HUB, NO_INDEX } from "./daemon-under-test.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";
import { childrenOf, commandOf } from "./process-group.ts";
import { within } from "./waiting.ts";

const PROGRAM = join(PACKAGE_FOLDER, "bin/robot-daemon.mjs");

/** Whether this is the robot's own process, which the daemon has forked. */
const isControl = (pid: number): boolean => commandOf(pid).some((word) => word.endsWith("/control/main.js"));

function killRobotProcess(daemon: number | undefined): void {
  const [pid] = childrenOf(daemon ?? 0).filter(isControl);
  if (pid === undefined) throw new Error("the daemon has no robot process");
  process.kill(pid, "SIGKILL");
}

/** Starts the real program on a free port of loopback with the simulated robot and waits until it answers. */
export async function spawnDaemon(wish: DaemonWish): Promise<DaemonUnderTest> {
  const { dataDir, startupApp, wakeUpOnStart, gracePeriod, serialport } = wish;
  const robot = serialport === undefined ? ["--sim"] : ["--serialport", serialport];
  const hub = ["--hub-url", wish.hubUrl ?? NO_HUB];
  const args = [
    ...robot,
    ...hub,
    "--port",
    String(wish.port ?? 0),
    "--data-dir",
    dataDir,
    "--grace-period",
    String(gracePeriod),
  ];
  if (wish.venv !== undefined) args.push("--venv", wish.venv);
  if (startupApp !== null) args.push("--startup-app", startupApp);
  if (wish.microphone !== undefined) args.push("--microphone", wish.microphone);
  if (!wakeUpOnStart) args.push("--no-wake-up-on-start");
  const command = [process.execPath, PROGRAM, ...args];
  const shell = ["/bin/sh", "-c", 'trap "" INT; exec "$0" "$@"', ...command];
  const [file = "", ...rest] = wish.ignoringSigint ? shell : command;
  const child = spawn(file, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...NO_INDEX, ...wish.env },
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;

  const url = await within(30_000, "the daemon prints its address", async () => {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}:\n${output}`);
    return /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
  }).catch((error) => {
    // Nobody else knows of it yet: left alone, it would outlive the scenario.
    child.kill("SIGTERM");
    throw error;
  });
  return {
    url,
    token: null,
    pid: child.pid ?? null,
    output: () => output,
    signal: (name) => child.kill(name),
    ended: async () => (await exit)[0],
    // The nearest thing to a cable that the simulated robot of a program has.
    unplugRobot: async () => killRobotProcess(child.pid),
    killRobotProcess: async () => killRobotProcess(child.pid),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        const force = setTimeout(() => child.kill("SIGKILL"), 15_000);
        await exit;
        clearTimeout(force);
      }
    },
  };
}
