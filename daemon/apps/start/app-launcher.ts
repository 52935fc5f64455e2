import { randomUUID } from "node:crypto";
import path from "node:path";
import { isExhausted } from "../../../common/machine/absent.ts";
import { endProcesses, type ProcessTree, processesOf } from "../../../common/machine/process-tree.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { DEFAULT_DIALECT, dialectById } from "../../../robot/dialects/dialects.ts";
import type { AppProcessEvent } from "../../../robot/wire/apps/app-events.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { withSystemCode } from "../../files/system-error.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { type AppEnd, howItEnded, type LaunchApp } from "../slot/run.ts";
import { clearRunningApp, writeRunningApp } from "../stop/orphaned-app.ts";
import { StopSequence } from "../stop/stop-sequence.ts";
import type { AppLogs } from "../watch/app-logs.ts";
import { type Output, watchOutput } from "../watch/output.ts";
import { appCommand, type Command, runTree } from "./app-command.ts";
import type { AppMachine, MainProcess } from "./spawn-main-process.ts";
import type { WarmInterpreter } from "./warm-interpreter.ts";

interface LauncherParts {
  venv: string;
  workDir: string;
  /** File that names the running app. */
  runningAppFile: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Milliseconds between SIGINT and SIGTERM. */
  graceMs: number;
  logs: Pick<AppLogs, "add" | "addNote">;
  /** Keeps an interpreter ready for the next start of the app that runs; absent where every start is a new one. */
  warmInterpreter?: WarmInterpreter | undefined;
  /** Where apps run. */
  machine: AppMachine;
  /** Is called when a main process has started, and when it has exited and what it left behind has ended. */
  onProcess?(event: AppProcessEvent): void;
}

/** Makes the function that starts an app, watches its output and ends whatever its main process leaves behind. */
export function createLauncher(parts: LauncherParts): LaunchApp {
  return async (app) => {
    const { name } = app.info;
    const { main, runId, recorded, prepareNext } = await startRecorded(app, parts);
    const { pid } = main;
    const tree = runTree(pid, runId);
    const stopSequence = new StopSequence(pid, tree, parts.clock, parts.graceMs, parts.machine);
    const onLostInterrupt = () => stopSequence.interruptLost();
    const output = watchOutput(name, main, (line) => parts.logs.add(line), parts.clock, onLostInterrupt);
    const log = (text: string) => parts.logs.addNote(name, text);
    parts.onProcess?.({ what: "started", app: name, pid, time: parts.clock.unixTime() });
    const from = app.copy === undefined ? "" : " from a copy with changes that are tried";
    log(`started ${path.basename(app.ownVenv ?? parts.venv)}/bin/python -u -m ${app.module}${from}, process ${pid}`);
    const note = wrongPortNote(app, parts.env.ROBOT_DAEMON_URL);
    if (note !== null) log(note);
    void recorded.then((error) => {
      if (error !== undefined) log(`cannot write down which process runs: ${error}`);
    });
    const onExit = (exit: ProcessExit) => parts.onProcess?.({ what: "exited", app: name, pid, ...exit });
    let cannotLook: Error | null = null;
    const onCannotLook = (error: Error | null): void => {
      if (error !== null && cannotLook === null) log(`cannot see which of its processes live: ${error.message}`);
      cannotLook = error;
    };
    let mainHasExited = false;
    void main.exited.then(() => {
      mainHasExited = true;
    });
    const exited = async () => {
      try {
        return await awaitExit({ main, output, tree, stopSequence, log, onExit, onCannotLook }, parts);
      } finally {
        await recorded;
        await clearRunningApp(parts.runningAppFile);
      }
    };
    return {
      pid,
      exited: exited(),
      get cannotLook() {
        return cannotLook;
      },
      get mainHasExited() {
        return mainHasExited;
      },
      stop: (isStarting) => stopSequence.stop(isStarting),
      connected: () => {
        stopSequence.connected();
        prepareNext();
      },
      ownsConnection: async (port) => {
        const owners = async (pids: readonly number[]) =>
          (await parts.machine.ownersOfConnection(port, pids)).length > 0;
        return (await owners([pid])) || owners(await processesOf(tree, parts.machine));
      },
    };
  };
}

interface StartedApp {
  main: MainProcess;
  runId: string;
  /** Settles with the error when the file of the running app could not be written. */
  recorded: Promise<unknown>;
  /** Has an interpreter wait for the next start of this app. */
  prepareNext(): void;
}

/**
 * Starts the main process, or lets the interpreter that waits for this app run it.
 * @throws WorkbenchError `app-start-failed`
 */
async function startRecorded(app: InstalledApp, parts: LauncherParts): Promise<StartedApp> {
  const venv = app.ownVenv ?? parts.venv;
  const commandOf = (runId: string) => appCommand(app, runId, parts);
  // What is imported ahead for apps of this project's SDK would be missing or wrong for another one.
  const isOwnSdk = (dialectById(app.info.extra.dialect) ?? DEFAULT_DIALECT) === DEFAULT_DIALECT;
  const warm = isOwnSdk ? parts.warmInterpreter : undefined;
  const waiting = await warm?.take(venv, commandOf);
  const runId = waiting?.runId ?? randomUUID();
  const record = async (group: number | null): Promise<unknown> =>
    writeRunningApp(parts.runningAppFile, app.info.name, group, runId, parts.machine).catch((error) => error);
  // Before the start: a daemon that is killed in between would leave an app that the next daemon does not know.
  await record(null);
  try {
    waiting?.process.start();
    const main = waiting?.process ?? (await startMainProcess(commandOf(runId), parts.machine));
    const hasPage = typeof app.info.extra.custom_app_url === "string";
    return { main, runId, recorded: record(main.pid), prepareNext: () => warm?.prepare(venv, commandOf, hasPage) };
  } catch (error) {
    await clearRunningApp(parts.runningAppFile);
    throw error;
  }
}

async function startMainProcess(command: Command, machine: AppMachine): Promise<MainProcess> {
  try {
    return await machine.spawn(command);
  } catch (error) {
    if (isExhausted(error)) throw withSystemCode(error);
    const why = error instanceof Error ? error.message : String(error);
    const next = "Start the daemon again: it repairs the apps' environment.";
    throw new WorkbenchError("app-start-failed", `${command.file} does not start: ${why}. ${next}`, { cause: error });
  }
}

interface RunningProcess {
  main: MainProcess;
  output: Output;
  tree: ProcessTree;
  stopSequence: StopSequence;
  log(text: string): void;
  onExit(exit: ProcessExit): void;
  /** As of `endProcesses`. */
  onCannotLook(error: Error | null): void;
}

type ProcessExit = Omit<Extract<AppProcessEvent, { what: "exited" }>, "what" | "app" | "pid">;

async function awaitExit(
  { main, output, tree, stopSequence, log, onExit, onCannotLook }: RunningProcess,
  { clock, machine }: { clock: Clock; machine: AppMachine },
): Promise<AppEnd> {
  const { code, signal } = await Promise.race([main.exited, stopSequence.gaveUp]);
  stopSequence.mainProcessExited();
  const time = clock.unixTime();
  log(howItEnded({ code, signal, forced: stopSequence.forced }));
  const { signalled, survivors } = await endProcesses(tree, clock, undefined, machine, onCannotLook);
  if (signalled.length > 0) log(`left ${signalled.length} processes behind; they were ended`);
  if (survivors.length > 0) log(`processes ${survivors.join(", ")} survive even SIGKILL`);
  onExit({ time, code, signal, forced: stopSequence.forced, leftBehind: signalled, survivors });
  await output.finish();
  return { code, signal, forced: stopSequence.forced, lastErrors: output.lastErrors() };
}

/**
 * A sentence for the log of an app whose SDK looks for the daemon at one port only, where this daemon is not; null for any
 * other app.
 * @param url the daemon's address, as its apps are given it
 */
export function wrongPortNote({ info }: Pick<InstalledApp, "info">, url: string | undefined): string | null {
  const { fixedPort, sdk } = dialectById(info.extra.dialect) ?? DEFAULT_DIALECT;
  if (fixedPort === null || url === undefined || !URL.canParse(url) || Number(new URL(url).port) === fixedPort)
    return null;
  const next = `Start robot-daemon with --port ${fixedPort}.`;
  return `${sdk.distribution} looks for the daemon at port ${fixedPort} only, and this daemon is at ${url}: the app will not find it. ${next}`;
}
