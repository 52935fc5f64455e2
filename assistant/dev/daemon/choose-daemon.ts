import path from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import { DaemonStatus } from "../../../robot/wire/daemon-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { WORKSHOP_SECRET_VARIABLE, workshopLink } from "../../../robot/wire/workshop/access-secret.ts";
import { startOwnDaemon } from "./own-daemon.ts";

export interface ChooseDaemonOptions {
  /** A daemon that a person names. */
  url: string | undefined;
  port: number;
  /** Whether a daemon that runs on this port is used. */
  mayUseRunning: boolean;
  dataDir: string | undefined;
  /** Folder of the app that a daemon started here lets its dashboard edit, and the secret that this takes. */
  workshop: { folder: string; secret: string };
  /** Whether the output is a terminal; elsewhere it may be kept in a log, which is no place for the secret. */
  interactive: boolean;
  packageFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  say(line: string): void;
}

export interface ChosenDaemon {
  url: string;
  isSimulated: boolean;
  /** Whether its dashboard edits the app; a daemon that was not started here has to open its folder first. */
  editsApp: boolean;
  /** The dashboard; of a daemon that was started here, with the secret of the workshop. */
  dashboard: string;
  /** Settles with what it printed when a daemon that was started here has ended. */
  ended: Promise<string>;
  /** Aborts when the daemon is closed. */
  closing: AbortSignal;
  /** Ends a daemon that was started here; leaves another one as it is. */
  close(): Promise<void>;
}

/** Time for a daemon that may run, and for `robot-daemon status`, to answer. */
const STATUS_MS = 20_000;

/**
 * The daemon for a session: the one at `url`, else one with a simulated robot that runs on the port, else a new one, or the
 * one with a simulated robot that uses the data folder already.
 * @throws WorkbenchError `daemon-unreachable`, `daemon-failed`; `usage` for a daemon that nobody named and that drives a
 *   physical robot, or is not the one that the options ask for
 */
export async function chooseDaemon(options: ChooseDaemonOptions): Promise<ChosenDaemon> {
  const { url, port, mayUseRunning, env, signal, say } = options;
  if (url !== undefined) return running(url, await statusOf(url, env, signal), say);
  if (mayUseRunning && port > 0) {
    const address = `http://127.0.0.1:${port}`;
    const status = await statusOf(address, env, AbortSignal.any([signal, AbortSignal.timeout(STATUS_MS)])).catch(
      () => null,
    );
    signal.throwIfAborted();
    if (status !== null && isSimulated(status)) return running(address, status, say);
    if (status !== null) throw physicalRobotError(address);
  }
  const dataDir = options.dataDir === undefined ? [] : ["--data-dir", options.dataDir];
  const { folder, secret } = options.workshop;
  const args = ["--port", String(port), "--log-level", "warn", "--workshop", folder, ...dataDir];
  const ownEnv = { ...env, [WORKSHOP_SECRET_VARIABLE]: secret };
  const own = await startOwnDaemon({ ...options, env: ownEnv, args, onProgress: say }).catch(async (error) => {
    if (!(error instanceof WorkbenchError && error.code === "daemon-failed")) throw error;
    const holder = await daemonOf(dataDir, options);
    if (holder === null) throw error;
    return holder;
  });
  if (!("close" in own)) {
    if (!isSimulated(own.daemon)) throw physicalRobotError(own.url);
    if (mayUseRunning) return running(own.url, own.daemon, say);
    throw new WorkbenchError(
      "usage",
      `A daemon at ${own.url} uses the data folder: leave --port and --debug out to use it, or add --data-dir FOLDER for another daemon.`,
    );
  }
  say(`✓ daemon at ${own.url}/, which ends with this command`);
  const dashboard = workshopLink(own.url, secret);
  say(editHint(dashboard, options.interactive));
  return { url: own.url, isSimulated: true, editsApp: true, dashboard, ended: own.ended, ...closable(own.close) };
}

/** @param interactive whether the output is a terminal, which may show the secret */
export const editHint = (link: string, interactive: boolean): string =>
  interactive
    ? `  edit the app there, too: ${link} (keep this link to yourself)`
    : `  edit the app there, too: set ${WORKSHOP_SECRET_VARIABLE} before the start, then open it with #workshop=SECRET`;

const physicalRobotError = (url: string): WorkbenchError =>
  new WorkbenchError(
    "usage",
    `${url} drives a physical robot: add --url ${url} to use it, or --port 0 --data-dir FOLDER for a simulated one.`,
  );

const DaemonOfFolder = z.object({ url: z.string(), daemon: DaemonStatus });

/**
 * The daemon that uses a data folder; null when none does.
 * @param dataDir options of robot-daemon that name the folder
 */
export async function daemonOf(
  dataDir: readonly string[],
  { packageFolder, env, signal }: Pick<ChooseDaemonOptions, "packageFolder" | "env" | "signal">,
): Promise<{ url: string; daemon: DaemonStatus } | null> {
  signal.throwIfAborted();
  const program = path.join(packageFolder, "bin/robot-daemon.mjs");
  const { failed, stdout } = await execa(process.execPath, [program, "status", "--json", ...dataDir], {
    env: { ...env },
    extendEnv: false,
    stdin: "ignore",
    timeout: STATUS_MS,
    cancelSignal: signal,
    reject: false,
  });
  signal.throwIfAborted();
  return failed ? null : DaemonOfFolder.parse(JSON.parse(stdout));
}

async function statusOf(url: string, env: ChooseDaemonOptions["env"], signal: AbortSignal): Promise<DaemonStatus> {
  return new DaemonClient({ url, token: env.ROBOT_DAEMON_TOKEN ?? "", signal }).status();
}

const isSimulated = (status: DaemonStatus): boolean => status.simulation_enabled === true;

function running(url: string, status: DaemonStatus, say: (line: string) => void): ChosenDaemon {
  const robot = isSimulated(status) ? "a simulated robot" : "a physical robot: it moves";
  say(`✓ daemon ${status.version} at ${url}, with ${robot}`);
  return {
    url,
    isSimulated: isSimulated(status),
    editsApp: false,
    dashboard: `${url}/`,
    ended: new Promise(() => {}),
    ...closable(async () => {}),
  };
}

/** @param end ends a daemon that was started here */
function closable(end: () => Promise<void>): Pick<ChosenDaemon, "closing" | "close"> {
  const closing = new AbortController();
  return {
    closing: closing.signal,
    close: async () => {
      closing.abort();
      await end();
    },
  };
}
