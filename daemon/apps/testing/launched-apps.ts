import path from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { systemClock } from "../../../common/time/clock.ts";
import type { AppProcessEvent, LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppProcess } from "../slot/run.ts";
import { appCommand } from "../start/app-command.ts";
import { createLauncher } from "../start/app-launcher.ts";
import { thisAppMachine } from "../start/spawn-main-process.ts";
import { WarmInterpreter } from "../start/warm-interpreter.ts";
import { createTestVenv, type TestVenv } from "./test-venv.ts";

interface Launched extends AppProcess {
  lines: LogLine[];
  events: AppProcessEvent[];
  /** Settles with the first line that holds the text. */
  line(text: string): Promise<string>;
}

interface LaunchedApps {
  /** The environment with the apps. */
  readonly home: TestVenv;
  /** Starts an app of the environment. */
  launch(app: string, options?: { env?: Record<string, string>; graceMs?: number }): Promise<Launched>;
}

/** A process of its own for each start, or an interpreter that waits for it with the SDK imported. */
export type StartKind = "new process" | "waiting interpreter";

/** Prepares, for the tests of a file, an environment with apps of `fixtures/apps`; ends after each test what it launched. */
export function useLaunchedApps(apps: readonly string[], kind: StartKind = "new process"): LaunchedApps {
  let home: TestVenv;
  const started: AppProcess[] = [];
  const warmInterpreter = kind === "waiting interpreter" ? new WarmInterpreter(systemClock) : undefined;
  beforeAll(async () => {
    home = await createTestVenv();
    for (const app of apps) await home.add(app);
    if (warmInterpreter !== undefined) await home.addSdk();
  });
  afterEach(async () => {
    for (const process of started.splice(0)) {
      process.stop(false);
      await process.exited;
    }
  });
  afterAll(async () => {
    await warmInterpreter?.close();
    await home.remove();
  });
  return {
    get home() {
      return home;
    },
    launch: async (app, options = {}) => {
      const launched = await launchApp(home, app, { ...options, warmInterpreter });
      started.push(launched);
      return launched;
    },
  };
}

async function launchApp(
  home: TestVenv,
  app: string,
  options: { env?: Record<string, string>; graceMs?: number; warmInterpreter: WarmInterpreter | undefined },
): Promise<Launched> {
  const { warmInterpreter } = options;
  const parts = {
    venv: home.venv,
    workDir: path.join(home.root, "work"),
    env: { PATH: process.env.PATH, ...options.env },
  };
  const lines: LogLine[] = [];
  const events: AppProcessEvent[] = [];
  const waiting = new Set<() => void>();
  const add = (line: LogLine): void => {
    lines.push(line);
    for (const wake of [...waiting]) wake();
  };
  const run = createLauncher({
    ...parts,
    runningAppFile: path.join(home.root, "running.json"),
    clock: systemClock,
    graceMs: options.graceMs ?? 60_000,
    machine: thisAppMachine,
    logs: {
      add,
      addNote: (name, text) => add({ time: 0, app: name, from: "daemon", text }),
    },
    onProcess: (event) => events.push(event),
    warmInterpreter,
  });
  const info = { name: app, source_kind: "installed", description: "", url: null, extra: {} } as const;
  const installed = { info, module: `${app}.main`, file: null };
  warmInterpreter?.prepare(home.venv, (runId) => appCommand(installed, runId, parts), false);
  const appProcess = await run(installed);
  const line = (text: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find((candidate) => candidate.from !== "daemon" && candidate.text.includes(text));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found.text);
      };
      waiting.add(look);
      look();
    });
  return { ...appProcess, lines, events, line };
}

/** Those of the processes that are alive. */
export const alive = async (...pids: number[]) =>
  (await ProcessTable.read()).entries.map((entry) => entry.pid).filter((pid) => pids.includes(pid));
