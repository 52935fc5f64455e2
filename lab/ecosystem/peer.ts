// The public daemon, as its makers ship it, on robot-sim, with its own SDK driving it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { execa } from "execa";
import { run } from "../../scripts/setup/steps.mjs";
import { spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { until } from "../bench/daemon.ts";
import { section } from "../bench/figures.ts";
import { VENV } from "./public-sdk.ts";
import { row } from "./table.ts";

const START_MS = 120_000;
const PYTHON = `${VENV}/bin/python`;
const QUIET = ["--headless", "--no-media", "--no-preload-datasets"];
/** Characters of what it prints that are kept, the last ones. */
const KEPT_OUTPUT = 1_000_000;
/** Seconds with each fault. */
const FAULTY_S = 60;
/** Seconds of a run after a fault that the public daemon gave up on. */
const AFTER_S = 10;
/**
 * On its wire, from 40 s after the start of robot-sim, when the public daemon drives it. That daemon gives up when it loses
 * packets for a while, as it does on a real robot.
 */
const FAULTS = [
  "drop:rate=0.002,at=40,for=10",
  "corrupt:rate=0.002,at=40,for=10",
  "garble:rate=0.01",
  "silent:servo=12,at=40,for=0.3",
];

/** Installs what the public daemon needs beyond its SDK. */
export async function prepareDaemon() {
  const probe = "import onnxruntime";
  await run(PYTHON, ["-c", probe]).catch(() =>
    run(PYTHON, ["-m", "pip", "install", "--quiet", "--no-deps", "onnxruntime"]),
  );
}

/**
 * Starts the public daemon and waits until its robot runs.
 * @param configFolder where it keeps the settings of its user; the user's own unless given
 */
export async function startPublicDaemon(options: string[], port: number, configFolder?: string) {
  const args = ["-m", "reachy_mini.daemon.app.main", ...QUIET, ...options, "--fastapi-port", String(port)];
  const env = { ...process.env, ...(configFolder !== undefined && { XDG_CONFIG_HOME: configFolder }) };
  const child = spawn(PYTHON, args, { cwd: resolve("artifacts/ecosystem"), stdio: ["ignore", "pipe", "pipe"], env });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
    });
  const stop = async () => {
    child.kill("SIGINT");
    const killed = setTimeout(() => child.kill("SIGKILL"), 30_000);
    await ended;
    clearTimeout(killed);
  };
  try {
    await until("the public daemon runs", START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output.slice(-300)}`);
      const answer = await fetch(`http://127.0.0.1:${port}/api/daemon/status`).catch(() => null);
      if (answer?.ok !== true) return false;
      const { state, error } = (await answer.json()) as { state: string; error: string | null };
      if (state === "error") throw new Error(`its state is error: ${error}`);
      return state === "running";
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, output: () => output, stop };
}

/** @returns what was seen @throws Error with the last line of what it printed when it fails */
async function drive(port: number, seconds: number): Promise<string> {
  const args = ["lab/ecosystem/drive.py", String(port), String(seconds)];
  const ended = await execa(PYTHON, args, { timeout: 1000 * seconds + START_MS, reject: false });
  if (ended.failed) throw new Error(ended.stderr.trim().split("\n").at(-1) || ended.message);
  return ended.stdout.trim();
}

/** Drives a robot by a public daemon of its own. @param device of the robot */
async function driveDaemon(device: string, port: number, seconds: number) {
  const daemon = await startPublicDaemon(["--serialport", device], port);
  try {
    return await drive(port, seconds);
  } finally {
    await daemon.stop();
  }
}

export async function runPeer(minutes: number) {
  section("The public daemon on robot-sim, driven by its own SDK");
  await prepareDaemon();
  let port = 8810;
  const withRobot = async (options: string[], work: (device: string) => Promise<string>) => {
    port += 1;
    const robot = await spawnRobotSim("pty", options);
    try {
      return await work(robot.address);
    } finally {
      await robot.close();
    }
  };
  await row(`${minutes} minutes`, () => withRobot([], (device) => driveDaemon(device, port, 60 * minutes)));
  for (const fault of FAULTS)
    await row(`${FAULTY_S} s with ${fault}`, () =>
      withRobot(["--fault", fault], (device) =>
        driveDaemon(device, port, FAULTY_S).catch(async (error: Error) => {
          // The robot must be as before for the next start.
          const after = await driveDaemon(device, port, AFTER_S);
          return `it gave up (${error.message}); started again: ${after}`;
        }),
      ),
    );
}
