import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../../common/time/clock.ts";
import { sitePackagesOf } from "../catalogue/installed-apps.ts";
import { type Command, RUN_ID_VARIABLE } from "./app-command.ts";
import { type HeldProcess, spawnHeldProcess } from "./spawn-main-process.ts";

/** `robot_sdk.app.warm_start` reads it. */
const VARIABLE = "ROBOT_APP_WARM_START";
const HOOK_FILE = "robot_sdk_warm_start.pth";
/** Loads the one file: an import of the package takes a while, and `ps` shows the command of the app until then. */
const HOOK_CODE = [
  "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)",
  "import importlib.util as u",
  "file = u.find_spec('robot_sdk').submodule_search_locations[0] + '/app/warm_start.py'",
  "spec = u.spec_from_file_location('robot_sdk.app.warm_start', file)",
  "module = u.module_from_spec(spec)",
  "spec.loader.exec_module(module)",
  "module.wait_for_start()",
].join("; ");
const HOOK = `import os; exec("${HOOK_CODE}" if "${VARIABLE}" in os.environ else "")\n`;
/** Modules that every app imports, and those that an app with a page imports. */
const MODULES = ["robot_sdk", "robot_sdk.utils"];
const PAGE_MODULES = ["robot_sdk.app.page_modules"];
/** How long an interpreter waits for a start of its app: it takes about 30 MB meanwhile. */
const KEPT_MS = 60 * 60_000;

/** An interpreter that waits, and the id of the run that it would begin. */
interface WaitingInterpreter {
  process: HeldProcess;
  runId: string;
  /** What it would run, and the state of the environment when it was started. */
  key: string;
  hasExited: boolean;
  cancelExpiry(): void;
}

/**
 * Keeps one Python interpreter that has imported the SDK and waits to run an app, and says so in `ps` (Linux): the one that ran last, which is the one
 * that an author or a user is most likely to start next. Its start then takes no time for Python's own start and imports.
 */
export class WarmInterpreter {
  readonly #clock: Clock;
  #waiting: WaitingInterpreter | null = null;
  #preparing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts an interpreter for the next start of an app, in place of one that waits for another app.
   * @param commandOf the app's command for a run id
   * @param hasPage whether the app has a page of its own
   */
  prepare(venv: string, commandOf: (runId: string) => Command, hasPage: boolean): void {
    this.#preparing = this.#preparing.then(() => this.#prepare(venv, commandOf, hasPage)).catch(() => undefined);
  }

  async #prepare(venv: string, commandOf: (runId: string) => Command, hasPage: boolean): Promise<void> {
    await writeHook(venv);
    const runId = randomUUID();
    const command = commandOf(runId);
    const key = keyOf(command, await stateOf(venv));
    if (this.#isClosed || (this.#waiting?.key === key && !this.#waiting.hasExited)) return;
    this.#discard();
    const modules = hasPage ? [...MODULES, ...PAGE_MODULES] : MODULES;
    const process = await spawnHeldProcess(command, (pipe) => ({ [VARIABLE]: [pipe, ...modules].join(",") }));
    const cancelExpiry = this.#clock.after(KEPT_MS, () => this.#discard());
    const waiting = { process, runId, key, hasExited: false, cancelExpiry };
    void process.exited.then(() => {
      waiting.hasExited = true;
    });
    if (this.#isClosed) process.abandon();
    else this.#waiting = waiting;
  }

  /**
   * Hands out the waiting interpreter. Returns null when there is none for this command, or when packages of the
   * environment have changed since it imported them.
   */
  async take(
    venv: string,
    commandOf: (runId: string) => Command,
  ): Promise<Pick<WaitingInterpreter, "process" | "runId"> | null> {
    await this.#preparing;
    const waiting = this.#waiting;
    if (waiting === null) return null;
    const state = await stateOf(venv).catch(() => "unreadable");
    const key = keyOf(commandOf(waiting.runId), state);
    if (waiting.hasExited || waiting.key !== key || this.#waiting !== waiting) return null;
    this.#waiting = null;
    waiting.cancelExpiry();
    return waiting;
  }

  /** Ends the waiting interpreter; none is started from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#discard();
    await this.#preparing;
    await waiting?.process.exited;
  }

  #discard(): void {
    this.#waiting?.cancelExpiry();
    this.#waiting?.process.abandon();
    this.#waiting = null;
  }
}

function keyOf({ file, args, cwd, env }: Command, state: string): string {
  const { [RUN_ID_VARIABLE]: _runId, ...others } = env;
  return JSON.stringify([file, args, cwd, others, state]);
}

/** Changes with each change of the installed packages: every one adds, removes or renames a folder there. */
async function stateOf(venv: string): Promise<string> {
  const folders = await sitePackagesOf(venv);
  const times = folders.map(async (folder) => `${folder}:${(await stat(folder, { bigint: true })).mtimeNs}`);
  return (await Promise.all(times)).join(",");
}

/** Python runs the lines of `.pth` files that begin with `import` before the program. */
async function writeHook(venv: string): Promise<void> {
  for (const folder of await sitePackagesOf(venv)) {
    // Written once: it counts as a change of the packages.
    await writeFile(path.join(folder, HOOK_FILE), HOOK, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
