import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPublicDaemon } from "../../../scripts/ecosystem/peer.mjs";
import { VENV } from "../../../scripts/ecosystem/public-sdk.mjs";
import type { DaemonHandle } from "../../runner/daemon/daemon-handle.ts";

/** The environment of the public daemon and of its apps. */
export const PEER_VENV = VENV;
/** The port at which its SDK looks for it. */
const PORT = 8000;

interface PeerOptions {
  /** Of a robot-sim; null for the public daemon's own simulation, the one without MuJoCo. */
  device: string | null;
  /** Folder for the settings of its user. */
  configFolder: string;
  startupApp: string | null;
}

/** Starts the public daemon, and wakes the robot up. */
export async function startPeerDaemon({ device, configFolder, startupApp }: PeerOptions): Promise<DaemonHandle> {
  const settings = join(configFolder, "reachy_mini");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "daemon_config.json"), JSON.stringify({ startup_app: startupApp }));
  const robot = device === null ? ["--mockup-sim"] : ["--serialport", device];
  const daemon = await startPublicDaemon([...robot, "--wake-up-on-start"], PORT, configFolder);
  const refuse = (): never => {
    throw new Error("the public daemon is not stopped by scenarios");
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
