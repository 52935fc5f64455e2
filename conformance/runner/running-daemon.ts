import { authorization, type DaemonUnderTest } from "./daemon-under-test.ts";

/**
 * A daemon that somebody else runs, judged through its HTTP interface alone. Throws when it does not answer, or not to
 * this token.
 */
export async function connectToDaemon(url: string, token: string | null): Promise<DaemonUnderTest> {
  const base = url.replace(/\/+$/, "");
  const notOurs = (): never => {
    throw new Error(`the daemon at ${base} is not ours to end; leave scenarios tagged @spawn out`);
  };
  const headers = authorization(token);
  const { status } = await fetch(`${base}/api/daemon/status`, { headers, signal: AbortSignal.timeout(5000) });
  if (status === 401) throw new Error(`the daemon at ${base} asks for its token: set ROBOT_DAEMON_TOKEN`);
  return {
    url: base,
    token,
    pid: null,
    output: () => `(the daemon at ${base} prints in its own terminal)`,
    signal: notOurs,
    ended: async () => notOurs(),
    unplugRobot: async () => notOurs(),
    killRobotProcess: async () => notOurs(),
    close: async () => {
      await fetch(`${base}/api/apps/stop-current-app`, {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(20_000),
      });
    },
  };
}
