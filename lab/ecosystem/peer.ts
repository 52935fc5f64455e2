// The public daemon, as its makers ship it, on robot-sim, with its own SDK driving it.
import { execa } from "execa";
import { PUBLIC_VENV, startPublicDaemon } from "../../conformance/steps/support/public-daemon.ts";
import { run } from "../../scripts/setup/steps.mjs";
import { spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { section } from "../bench/figures.ts";
import { row } from "./table.ts";

/** Milliseconds beyond the time that it drives. */
const START_MS = 120_000;
const PYTHON = `${PUBLIC_VENV}/bin/python`;
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
