import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { DaemonClient, type DaemonStatus } from "./daemon-client.ts";
import { type OwnDaemon, startOwnDaemon } from "./own-daemon.ts";

export interface ChooseDaemonOptions {
  /** A daemon that a person names. */
  url: string | undefined;
  port: number;
  /** Whether a daemon that runs on this port is used. */
  mayUseRunning: boolean;
  dataDir: string | undefined;
  packageFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  say(line: string): void;
}

export interface ChosenDaemon {
  url: string;
  isSimulated: boolean;
  /** Settles with what it printed when a daemon that was started here has ended. */
  ended: Promise<string>;
  /** Aborts when the daemon is closed. */
  closing: AbortSignal;
  /** Ends a daemon that was started here; leaves another one as it is. */
  close(): Promise<void>;
}

/** Time for a daemon that may run to answer. */
const PROBE_MS = 2000;

/**
 * The daemon for a session: the one at `url`, else one with a simulated robot that runs on the port, else a new one.
 * @throws WorkbenchError `daemon-unreachable`, `daemon-failed`; `usage` for a physical robot that nobody named
 */
export async function chooseDaemon(options: ChooseDaemonOptions): Promise<ChosenDaemon> {
  const { url, port, mayUseRunning, env, signal, say } = options;
  if (url !== undefined) return running(url, await statusOf(url, env, signal), say);
  if (mayUseRunning && port > 0) {
    const address = `http://127.0.0.1:${port}`;
    const status = await statusOf(address, env, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)])).catch(
      () => null,
    );
    signal.throwIfAborted();
    if (status !== null && isSimulated(status)) return running(address, status, say);
    if (status !== null)
      throw new WorkbenchError(
        "usage",
        `${address} drives a physical robot: add --url ${address} to use it, or --port 0 --data-dir FOLDER for a simulated one.`,
      );
  }
  const dataDir = options.dataDir === undefined ? [] : ["--data-dir", options.dataDir];
  const args = ["--port", String(port), "--log-level", "warn", ...dataDir];
  const own = await startOwnDaemon({ ...options, args, onProgress: say });
  say(`✓ daemon at ${own.url}/, which ends with this command`);
  return started(own);
}

async function statusOf(url: string, env: ChooseDaemonOptions["env"], signal: AbortSignal): Promise<DaemonStatus> {
  return new DaemonClient(url, env.ROBOT_DAEMON_TOKEN, signal).status();
}

const isSimulated = (status: DaemonStatus): boolean => status.simulation_enabled === true;

function running(url: string, status: DaemonStatus, say: (line: string) => void): ChosenDaemon {
  const robot = isSimulated(status) ? "a simulated robot" : "a physical robot: it moves";
  say(`✓ daemon ${status.version} at ${url}, with ${robot}`);
  const closing = new AbortController();
  return {
    url,
    isSimulated: isSimulated(status),
    ended: new Promise(() => {}),
    closing: closing.signal,
    close: async () => closing.abort(),
  };
}

function started({ url, ended, close }: OwnDaemon): ChosenDaemon {
  const closing = new AbortController();
  return {
    url,
    isSimulated: true,
    ended,
    closing: closing.signal,
    close: async () => {
      closing.abort();
      await close();
    },
  };
}
