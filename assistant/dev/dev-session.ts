import ignore from "ignore";
import type { Clock } from "../../common/time/clock.ts";
import { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { DEFAULT_IGNORES } from "../check/app/read-files.ts";
import type { CheckReport } from "../check/check-app.ts";
import { escapeControls } from "../escape-controls.ts";
import type { DaemonClient } from "./daemon/daemon-client.ts";
import { KEYS, keyHelp, QUIT_KEYS } from "./keys.ts";
import { openPage } from "./open-page.ts";
import { forgetCompiled } from "./python-cache.ts";
import { newFindings, quickCheck, syntaxErrorIn } from "./quick-check.ts";
import { Restarter } from "./restarter.ts";
import { KnownFiles } from "./watch/known-files.ts";
import { watchFolder } from "./watch/watch-folder.ts";

export interface DevSessionOptions {
  folder: string;
  /** The app's name. */
  app: string;
  /** The check before the session. */
  report: CheckReport;
  client: DaemonClient;
  isSimulated: boolean;
  /** Subscribes to the keys that a person presses. */
  onKey(pressed: (key: string) => void): () => void;
  /** Settings: files and folders that restart the app although such files do not, and files that do not. */
  watch: readonly string[];
  ignored: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Settles when the daemon has ended by itself. */
  daemonEnded: Promise<string>;
  say(line: string): void;
}

/** Files that no restart can make a difference for, besides those of `DEFAULT_IGNORES`. */
const NOT_RUN = ["*.md", "/index.html", "/style.css", "/build", "/dist", "/certification", "*~", ".*.sw?", "4913"];

/** Whether a path is one of the settings' files and folders, inside of one, or a folder around one. */
const isWatched = (file: string, watched: readonly string[]): boolean =>
  watched.some((each) => {
    const wanted = `${each.replace(/^\.\//, "").replace(/\/$/, "")}/`;
    const given = file.endsWith("/") ? file : `${file}/`;
    return given.startsWith(wanted) || (file.endsWith("/") && wanted.startsWith(given));
  });

/** Runs an app until a person quits: logs, checks, keys, and a restart for each change. Leaves the app stopped. */
export async function runDevSession(options: DevSessionOptions): Promise<void> {
  const { folder, app, client, clock, signal, say } = options;
  let { report } = options;
  let restartAt: number | null = null;

  await client.installEditable(folder);
  await client.followEvents((name, data) => {
    if (name === "log") showLog(data, app, say);
    if (name === "slot") restartAt = showState(data, app, restartAt, clock, say);
  });
  const restart = async (): Promise<void> => {
    restartAt ??= clock.now();
    await client.restart(app);
  };
  const known = new KnownFiles(folder);
  const restarter = new Restarter({
    clock,
    canRun: async (changed) => {
      const files = await known.settle(changed);
      if (files.length === 0) {
        restartAt = null;
        return false;
      }
      say(`↻ ${escapeControls(files.join(", "))}`);
      const error = await syntaxErrorIn(folder, files);
      if (error !== undefined) say(`✗ ${error} (the app runs on as it was)`);
      else await Promise.all(files.map((file) => forgetCompiled(folder, file)));
      if (error !== undefined) restartAt = null;
      return error === undefined;
    },
    restart: async () => {
      await restart();
      const checked = await quickCheck(folder, signal);
      for (const line of newFindings(checked, report)) say(line);
      report = checked;
    },
    onFailed: (error) => say(`✗ ${messageOf(error)}`),
  });
  const ignored = ignore()
    .add(DEFAULT_IGNORES)
    .add(NOT_RUN)
    .add([...options.ignored]);
  const isIgnored = (file: string) => ignored.ignores(file) && !isWatched(file, options.watch);
  const watcher = await watchFolder(folder, isIgnored, (file) => {
    restartAt ??= clock.now();
    restarter.changed(file);
  });
  await known.add(isIgnored);
  try {
    await client.start(app).catch(async (error) => {
      if (!(error instanceof WorkbenchError && error.code === "app-already-running")) throw error;
      say("An app runs already; it is replaced.");
      await client.stop();
      await client.start(app);
    });
    say(keyHelp(options.isSimulated));
    await untilQuit(options, { client, restart, openDashboard: () => openDashboard(options) });
  } finally {
    watcher.close();
    await restarter.close();
  }
}

type Actions = Parameters<(typeof KEYS)[number]["act"]>[0];

/** Handles keys until a person quits, Ctrl-C, or the end of the daemon. @throws WorkbenchError `daemon-failed` */
async function untilQuit(options: DevSessionOptions, actions: Actions): Promise<void> {
  const { signal, daemonEnded } = options;
  let stopKeys = (): void => {};
  const quit = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
    stopKeys = options.onKey((key) => (QUIT_KEYS.includes(key) ? resolve() : void actOn(key, options, actions)));
  });
  const lost = daemonEnded.then((output) => {
    throw new WorkbenchError("daemon-failed", `The robot-daemon ended:\n${output.trim()}`);
  });
  await Promise.race([quit, lost]).finally(stopKeys);
}

async function actOn(pressed: string, { say, isSimulated }: DevSessionOptions, actions: Actions): Promise<void> {
  const key = KEYS.find((each) => each.key === pressed);
  if (key === undefined) return say(keyHelp(isSimulated));
  if (key.simulation && !isSimulated) return say(`${key.says}: only a simulated robot can be touched from here`);
  say(`› ${key.says}`);
  await key.act(actions).catch((error) => say(`✗ ${messageOf(error)}`));
}

async function openDashboard({ client, env, say }: DevSessionOptions): Promise<void> {
  if (!(await openPage(`${client.url}/`, env))) say(`Open ${client.url}/ in a browser.`);
}

function showLog(data: unknown, app: string, say: (line: string) => void): void {
  const { line } = data as { line?: { app: string; from: string; text: string } };
  const { app: from, from: stream, text } = line ?? (data as { app: string; from: string; text: string });
  if (from !== app || text === undefined) return;
  say(`${stream === "stderr" ? "!" : stream === "daemon" ? "·" : "│"} ${escapeControls(text)}`);
}

/** Shows a change of the app's state; returns when the restart that it belongs to began, null when it is over. */
function showState(
  data: unknown,
  app: string,
  restartAt: number | null,
  clock: Clock,
  say: (line: string) => void,
): number | null {
  const status = AppStatus.nullable().safeParse(data);
  if (!status.success || status.data?.info.name !== app) return restartAt;
  const { state, error } = status.data;
  if (state === "error") {
    say(`✗ ${escapeControls(error ?? "the app failed")}`);
    return null;
  }
  if (state !== "running") return restartAt;
  say(
    restartAt === null ? "● running" : `● running again, ${(clock.now() - restartAt).toFixed(0)} ms after the change`,
  );
  return null;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
