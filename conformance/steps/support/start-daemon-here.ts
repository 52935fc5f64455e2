import { startDaemonInProcess } from "../../../daemon/testing/daemon-in-process.ts";
import type { DaemonHandle, DaemonOptions } from "../../runner/daemon/daemon-handle.ts";

/** Starts a daemon in this process. Signals and exits need a daemon of its own process. */
export async function startDaemonHere(options: DaemonOptions): Promise<DaemonHandle> {
  const daemon = await startDaemonInProcess(options);
  const needsSpawn = (what: string) => new Error(`a daemon in this process has no ${what}; tag the scenario @spawn`);
  return {
    ...daemon,
    token: options.token ?? null,
    pid: process.pid,
    signal: () => {
      throw needsSpawn("signals");
    },
    exited: () => Promise.reject(needsSpawn("exit")),
    killRobotProcess: () => Promise.reject(needsSpawn("robot process")),
  };
}
