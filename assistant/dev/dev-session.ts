import ignore from "ignore";
import { Emitter } from "../../common/emitter.ts";
import type { Clock } from "../../common/time/clock.ts";
import { rejectOnAbort } from "../../common/time/reject-on-abort.ts";
import type { DaemonClient } from "../../robot/rest/daemon-client.ts";
import { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { DEFAULT_IGNORES } from "../check/app/read-files.ts";
import type { CheckReport } from "../check/check-app.ts";
import type { DevSettings } from "../check/settings.ts";
import { escapeControls } from "../escape-controls.ts";
import type { ChosenDaemon } from "./daemon/choose-daemon.ts";
import { followEvents } from "./daemon/follow-events.ts";
import { installEditable, restartApp, stopApp } from "./daemon/session-app.ts";
import { KEYS, keyHelp, QUIT_KEYS } from "./keys.ts";
import { PageOpener } from "./open-page.ts";
import { forgetCompiled } from "./python-cache.ts";
import { newFindings, quickCheck, syntaxErrorIn } from "./quick-check.ts";
import { Restarter } from "./restarter.ts";
import { KnownFiles } from "./watch/known-files.ts";
import { watchFolder } from "./watch/watch-folder.ts";
import { WrittenFiles } from "./watch/written-files.ts";

interface DevSessionOptions {
  folder: string;
  app: string;
  /** What the check found before the session: only new findings are shown. */
  report: CheckReport;
  client: DaemonClient;
  daemon: Pick<ChosenDaemon, "isSimulated" | "dashboard" | "ended">;
  /** Subscribes to the keys that a person presses. Returns the function that unsubscribes. */
  onKey(pressed: (key: string) => void): () => void;
  settings: DevSettings;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Called when a daemon that was started again is reached. */
  onReconnected(): Promise<unknown>;
  /** Whether the dashboard is opened when the app is started. */
  open: boolean;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  say(line: string): void;
  /** Takes the daemon's events `log` and `slot`; without it, `say` shows them as lines. */
  onEvent?: ((name: string, data: unknown) => void) | undefined;
}

/**
 * Files that do not change how the app runs, besides those of `DEFAULT_IGNORES`: texts, the page, results of tools, and the
 * temporary files of editors (Vim's `4913` tests whether it can write).
 */
const NOT_RUN = [
  "*.md",
  "/index.html",
  "/style.css",
  "/build",
  "/dist",
  ".vscode",
  "/certification",
  "*~",
  ".*.sw?",
  "4913",
];

/** Whether a path is one of the files and folders of `watch`, inside one, or a folder around one. Folders end in `/`. */
const isWatched = (file: string, watched: readonly string[]): boolean =>
  watched.some((each) => {
    const wanted = `${each.replace(/^\.\//, "").replace(/\/$/, "")}/`;
    const given = file.endsWith("/") ? file : `${file}/`;
    return given.startsWith(wanted) || (file.endsWith("/") && wanted.startsWith(given));
  });

/**
 * Installs an app and runs it until a person quits: logs, checks, keys, and a restart for each change. Leaves the app
 * stopped, and leaves another app that runs by then as it is.
 * @throws WorkbenchError `install-failed`, `daemon-failed`, `daemon-unreachable`, or the code that the daemon answers
 */
export async function runDevSession(options: DevSessionOptions): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([options.signal, quit.signal]);
  const keys = new Emitter<string>();
  const stopKeys = options.onKey((key) => (QUIT_KEYS.includes(key) ? quit.abort() : keys.emit(key)));
  signal.addEventListener("abort", stopKeys, { once: true });
  try {
    await installAndRun({ ...options, signal, onKey: (pressed) => keys.on(pressed) });
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    stopKeys();
    quit.abort(); // ends the subscription to events, also after an error
  }
}

/**
 * Runs the session until the signal aborts.
 * @throws WorkbenchError with the codes of `runDevSession`; the signal's reason
 */
async function installAndRun(options: DevSessionOptions): Promise<void> {
  const { folder, app, client, daemon, settings, clock, signal, say } = options;
  let { report } = options;
  let restartAt: number | null = null;

  await stopApp(client, app); // an app that runs is not installed again
  say(`… ${app} is being installed from its folder`);
  await installEditable(client, folder, signal);
  const written = new WrittenFiles(folder);
  const onEvent = (name: string, data: unknown): void => {
    if (name === "workshop") written.add(data);
    if (options.onEvent !== undefined) {
      if (name === "log" || name === "slot") options.onEvent(name, data);
      return;
    }
    if (name === "log") showLog(data, app, say);
    if (name === "slot") restartAt = showState(data, app, restartAt, clock, say);
  };
  const { lost } = await followEvents({ client, onEvent, onReconnected: options.onReconnected, clock, signal, say });
  const restart = async (): Promise<void> => {
    restartAt ??= clock.now();
    await restartApp(client, app);
  };
  const known = new KnownFiles(folder);
  const restarter = new Restarter({
    clock,
    canRun: async (changed) => {
      const files = await written.without(await known.settle(changed));
      if (files.length === 0) {
        restartAt = null;
        return false;
      }
      say(`↻ ${escapeControls(files.join(", "))}`);
      const error = await syntaxErrorIn(folder, files);
      if (error !== undefined) {
        say(`✗ ${error} (the app runs on as it was)`);
        restartAt = null;
        return false;
      }
      await Promise.all(files.map((file) => forgetCompiled(folder, file)));
      return true;
    },
    restart: async () => {
      await restart();
      const checked = await quickCheck(folder, signal);
      for (const line of newFindings(checked, report)) say(line);
      report = checked;
    },
    onFailed: (error) => {
      if (!signal.aborted) say(`✗ ${messageOf(error)}`);
    },
  });
  const ignored = ignore()
    .add(DEFAULT_IGNORES)
    .add(NOT_RUN)
    .add(settings.ignore ?? []);
  const isIgnored = (file: string) => ignored.ignores(file) && !isWatched(file, settings.watch ?? []);
  let started = false;
  const pages = new PageOpener(options.env);
  const openDashboard = async () => {
    if (!(await pages.open(daemon.dashboard))) say(`Open ${daemon.dashboard} in a browser.`);
  };
  const watcher = await watchFolder(folder, isIgnored, (file) => {
    if (!started) return; // the start reads the file
    restartAt ??= clock.now();
    restarter.changed(file);
  });
  try {
    await known.add(isIgnored);
    signal.throwIfAborted();
    started = true;
    await client.wakeUp(signal);
    await startInPlaceOfAnother(client, app, say);
    if (options.open) await openDashboard();
    say(keyHelp(daemon.isSimulated));
    await untilQuit(options, lost, { client, restart, openDashboard });
  } finally {
    watcher.close();
    await pages.close();
    // A restart that is under way would start the app again after the stop.
    await restarter.close();
    if (started) await stopApp(client, app).catch(() => undefined); // fails only when the daemon is gone
  }
}

/** Starts the app; stops another app that runs. @throws WorkbenchError the code that the daemon answers */
async function startInPlaceOfAnother(client: DaemonClient, app: string, say: (line: string) => void): Promise<void> {
  await client.startApp(app).catch(async (error) => {
    if (!(error instanceof WorkbenchError && error.code === "app-already-running")) throw error;
    say("Another app runs; it is stopped.");
    await client.startApp(app, { replace: true });
  });
}

type Actions = Parameters<(typeof KEYS)[number]["act"]>[0];

/**
 * Handles keys until the signal aborts or the daemon is gone, and what was pressed is done.
 * @throws WorkbenchError `daemon-failed` when a daemon that was started here has ended; the error of `lost`; the signal's reason
 */
async function untilQuit(options: DevSessionOptions, lost: Promise<never>, actions: Actions): Promise<void> {
  const { signal, daemon } = options;
  let begun: Promise<unknown> = Promise.resolve();
  const stopKeys = options.onKey((key) => {
    begun = Promise.all([begun, actOn(key, options, actions)]);
  });
  const ended = daemon.ended.then((output) => {
    throw new WorkbenchError("daemon-failed", `The robot-daemon ended:\n${output.trim()}`);
  });
  try {
    await rejectOnAbort(Promise.race([ended, lost]), signal);
  } finally {
    stopKeys();
    // A key's restart that is under way would start the app again after the stop.
    await begun;
  }
}

async function actOn(pressed: string, { say, daemon: { isSimulated } }: DevSessionOptions, actions: Actions) {
  const key = KEYS.find((each) => each.key === pressed);
  if (key === undefined) return say(keyHelp(isSimulated));
  if (key.simulation && !isSimulated) return say(`${key.says}: only a simulated robot can be touched from here`);
  say(`› ${key.says}`);
  await key.act(actions).catch((error) => say(`✗ ${messageOf(error)}`));
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
    // The lines that follow in the error are those of the log, which were shown.
    const [what = ""] = (error ?? "the app failed").split("\n");
    say(`✗ ${escapeControls(what)}`);
    return null;
  }
  if (state !== "running") return restartAt;
  say(
    restartAt === null ? "● running" : `● running again, ${(clock.now() - restartAt).toFixed(0)} ms after the change`,
  );
  return null;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
