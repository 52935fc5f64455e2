import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DaemonHandle } from "../../runner/daemon/daemon-handle.ts";
import { PUBLIC_VENV, startPublicDaemon } from "./public-daemon.ts";

/** The Python environment of the public daemon and of its apps. */
export const PEER_VENV = PUBLIC_VENV;
/** The public SDK looks for its daemon at this port only. */
const PORT = 8000;

interface PeerOptions {
  /** Serial port of a robot-sim; null for the public daemon's own simulation without MuJoCo. */
  device: string | null;
  /** The daemon keeps its user's settings in this folder. */
  configFolder: string;
  /** Name of the app that it starts when the robot is awake; null for none. */
  startupApp: string | null;
}

/**
 * Starts the public daemon, which wakes the robot up. The handle can only read its output and close it.
 * @throws Error when it does not run in time
 */
export async function startPeerDaemon({ device, configFolder, startupApp }: PeerOptions): Promise<DaemonHandle> {
  const settings = join(configFolder, "reachy_mini");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "daemon_config.json"), JSON.stringify({ startup_app: startupApp }));
  const robot = device === null ? ["--mockup-sim"] : ["--serialport", device];
  const daemon = await startPublicDaemon([...robot, "--wake-up-on-start"], PORT, configFolder);
  const refuse = (): never => {
    throw new Error("scenarios send the public daemon no signals and do not disconnect its robot");
  };
  return {
    url: `http://127.0.0.1:${PORT}`,
    token: null,
    pid: daemon.pid,
    output: daemon.output,
    signal: refuse,
    exited: async () => refuse(),
    unplugRobot: async () => refuse(),
    killRobotProcess: async () => refuse(),
    close: daemon.stop,
  };
}
