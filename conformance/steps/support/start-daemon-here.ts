import { startDaemonInProcess } from "../../../daemon/testing/daemon-in-process.ts";
import type { DaemonHandle, DaemonOptions } from "../../runner/daemon/daemon-handle.ts";
import { startLifecycleCheck } from "./lifecycle-logs.ts";

/** Starts a daemon in this process. Signals and exits need a daemon of its own process. */
export async function startDaemonHere(options: DaemonOptions): Promise<DaemonHandle> {
  const daemon = await startDaemonInProcess(options);
  const needsSpawn = (what: string) => new Error(`a daemon in this process has no ${what}; tag the scenario @spawn`);
  const { lifecycle } = daemon;
  const handle: DaemonHandle = {
    ...daemon,
    token: options.token ?? null,
    pid: process.pid,
    signal: () => {
      throw needsSpawn("signals");
    },
    exited: () => Promise.reject(needsSpawn("exit")),
    killRobotProcess: () => Promise.reject(needsSpawn("robot process")),
    close: async () => {
      lifecycle.push({ kind: "shutdown-requested" });
      await daemon.close();
      lifecycle.push({ kind: "closed" });
    },
  };
  startLifecycleCheck(handle, lifecycle, options.startupApp);
  return handle;
}
