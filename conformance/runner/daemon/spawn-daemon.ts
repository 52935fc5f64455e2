import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { abortOnExit } from "../../../common/machine/abort-on-exit.ts";
import { NO_PACKAGE_INDEX, UNREACHABLE_HUB } from "../../../common/machine/offline.ts";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { commandOf, ProcessTable } from "../../../common/machine/process-table.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { accessToken } from "../../../daemon/network/access-token.ts";
import type { DaemonHandle, DaemonOptions } from "./daemon-handle.ts";

/** Milliseconds that a daemon has to end by itself. */
const FORCE_MS = 15_000;
const PROGRAM = join(PACKAGE_FOLDER, "bin/robot-daemon.mjs");

/** Whether this is the robot process, which the daemon has forked. */
const isRobotProcess = (pid: number): boolean => commandOf(pid).some((word) => word.endsWith("/robot-process/main.js"));

function killRobotProcess(daemon: number | undefined): void {
  const robotProcess = ProcessTable.readSync()
    .childrenOf(daemon ?? 0)
    .find(({ pid }) => isRobotProcess(pid));
  if (robotProcess === undefined) throw new Error("the daemon has no robot process");
  process.kill(robotProcess.pid, "SIGKILL");
}

/** Starts the robot-daemon program with a simulated robot on a port of 127.0.0.1 and waits until it prints its address. */
export async function spawnDaemon(options: DaemonOptions): Promise<DaemonHandle> {
  const { dataDir, serialport, camera, microphone, venv } = options;
  const values = {
    serialport,
    "hub-url": options.hubUrl ?? UNREACHABLE_HUB,
    host: options.listenOnAllAddresses ? "0.0.0.0" : "127.0.0.1",
    port: options.port ?? 0,
    "data-dir": dataDir,
    "grace-period": options.gracePeriod,
    "warm-start": options.warmStart ? "yes" : "no",
    // On a busy machine the robot process gets no processor for seconds.
    "robot-timeout": 60,
    "startup-app": options.startupApp ?? undefined,
    camera,
    microphone,
    venv,
  };
  const args = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  if (serialport === undefined) args.push("--sim");
  if (options.wireless) args.push("--wireless-version");
  if (!options.wakeUpOnStart) args.push("--no-wake-up-on-start");
  const command = [process.execPath, PROGRAM, ...args];
  const shell = ["/bin/sh", "-c", 'trap "" INT; exec "$0" "$@"', ...command];
  const [file = "", ...rest] = options.ignoringSigint ? shell : command;
  const token = options.listenOnAllAddresses ? await accessToken(dataDir) : null;
  const child = spawn(file, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...NO_PACKAGE_INDEX, ...options.env },
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  exit.catch(() => {});
  const ended = abortOnExit(child, "the daemon", () => output);
  // Only a whole line: a chunk may end within the port.
  const address = () => /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(output)?.[0];
  const url = await waitFor(60_000, "the daemon prints its address", address, ended).catch((error) => {
    // The caller gets no handle to end it with.
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), FORCE_MS).unref();
    throw error;
  });
  return {
    url,
    token,
    pid: child.pid ?? null,
    output: () => output,
    signal: (name) => child.kill(name),
    exited: async () => (await exit)[0],
    // The robot that a spawned daemon simulates lives in the robot process.
    unplugRobot: async () => killRobotProcess(child.pid),
    killRobotProcess: async () => killRobotProcess(child.pid),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        const force = setTimeout(() => child.kill("SIGKILL"), FORCE_MS);
        await exit;
        clearTimeout(force);
      }
    },
  };
}
