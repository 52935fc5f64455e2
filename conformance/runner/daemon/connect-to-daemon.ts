import { PROGRAM_ANSWER_MS } from "../../../common/machine/load-execa.ts";
import type { DaemonHandle } from "./daemon-handle.ts";
import { requestDaemon } from "./request-daemon.ts";

/**
 * Connects to a daemon that the tests did not start, over HTTP alone.
 * @throws Error when it does not answer, or not to this token
 */
export async function connectToDaemon(url: string, token: string | null): Promise<DaemonHandle> {
  const base = url.replace(/\/+$/, "");
  const refuse = (): never => {
    throw new Error(
      `the daemon at ${base} was not started by the tests, so they cannot end it; leave out scenarios tagged @spawn`,
    );
  };
  const request = (method: string, path: string, seconds: number) =>
    requestDaemon({ url: base, token }, { method, path, seconds });
  const { status } = await request("GET", "/api/daemon/status", PROGRAM_ANSWER_MS / 1000);
  if (status === 401) throw new Error(`the daemon at ${base} asks for its token: set ROBOT_DAEMON_TOKEN`);
  return {
    url: base,
    token,
    pid: null,
    output: () => `(the daemon at ${base} prints in its own terminal)`,
    signal: refuse,
    exited: async () => refuse(),
    unplugRobot: async () => refuse(),
    killRobotProcess: async () => refuse(),
    close: async () => {
      await request("POST", "/api/apps/stop-current-app", 20);
    },
  };
}
