import { startPublicDaemon } from "../../../scripts/ecosystem/peer.mjs";
import { VENV } from "../../../scripts/ecosystem/public-sdk.mjs";
import type { DaemonHandle } from "../../runner/daemon/daemon-handle.ts";

/** The environment of the public daemon and of its apps. */
export const PEER_VENV = VENV;
/** The port at which its SDK looks for it. */
const PORT = 8000;

/**
 * Starts the public daemon on a robot-sim, and wakes the robot up.
 * @param device of the robot-sim
 */
export async function startPeerDaemon(device: string): Promise<DaemonHandle> {
  const daemon = await startPublicDaemon(["--serialport", device, "--wake-up-on-start"], PORT);
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
