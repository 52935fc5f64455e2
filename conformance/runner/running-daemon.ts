import type { DaemonUnderTest } from "./daemon-under-test.ts";

/** A daemon that somebody else runs, judged through its HTTP interface alone. */
export async function connectToDaemon(url: string): Promise<DaemonUnderTest> {
  const base = url.replace(/\/+$/, "");
  const notOurs = (): never => {
    throw new Error(`the daemon at ${base} is not ours to end; leave scenarios tagged @spawn out`);
  };
  await fetch(`${base}/api/daemon/status`, { signal: AbortSignal.timeout(5000) });
  return {
    url: base,
    pid: null,
    output: () => `(the daemon at ${base} prints in its own terminal)`,
    signal: notOurs,
    ended: async () => notOurs(),
    unplugRobot: async () => notOurs(),
    killRobotProcess: async () => notOurs(),
    close: async () => {
      await fetch(`${base}/api/apps/stop-current-app`, { method: "POST", signal: AbortSignal.timeout(20_000) });
    },
  };
}
