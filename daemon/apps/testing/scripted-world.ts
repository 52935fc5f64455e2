import type { Scheduler } from "fast-check";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { AppEnd, AppProcess } from "../slot/app-process.ts";
import type { SlotParts } from "../slot/slot.ts";

/** How soon a timer runs at the latest to be one of the interleavings; longer ones stand for faults and never run. */
const SOON_MS = 5000;
const CLEAN: AppEnd = { code: 0, signal: null, forced: false, lastErrors: [] };

/**
 * Everything around a slot, scripted: each thing that takes time in the real world is a task of the scheduler, which
 * decides what happens first. `broken` collects what must never be.
 */
export class ScriptedWorld {
  readonly broken: string[] = [];
  /** Apps that live, by the function that ends them. */
  readonly alive = new Map<AppProcess, (end: AppEnd) => void>();
  readonly states: string[] = [];
  launches = 0;
  #moving = 0;
  #owedRests = 0;
  readonly #s: Scheduler;

  constructor(s: Scheduler) {
    this.#s = s;
  }

  readonly parts: SlotParts = {
    find: (name) => this.#takesTime(`find ${name}`, () => findApp(name)),
    admit: () => {},
    launch: (app) => {
      if (this.states.at(-1) !== "starting") this.broken.push(`launched while ${this.states.at(-1)}`);
      return this.#takesTime(`launch ${app.info.name}`, () => this.#launch(app));
    },
    robot: {
      guardApp: () => {},
      cancelMove: async () => {
        this.#moving += 1;
        return this.#takesTime("cancelMove", () => true);
      },
      returnToDefault: () =>
        this.#takesTime("returnToDefault", () => {
          this.#moving -= 1;
          this.#owedRests -= 1;
          return "finished" as const;
        }),
    },
    clock: {
      now: () => 0,
      unixTime: () => 0,
      after: (milliseconds, then) => {
        let wanted = milliseconds < SOON_MS;
        if (wanted) void this.#takesTime("timer", () => wanted && then());
        return () => {
          wanted = false;
        };
      },
    },
    onChange: (status) => this.#onChange(status.state),
    onRestFailed: (reason) => this.broken.push(reason),
  };

  /** An app ends by itself. */
  endOne(code: number): void {
    const [first] = this.alive.values();
    first?.({ ...CLEAN, code });
  }

  /** What must hold when nothing is left to happen. */
  check(): void {
    if (this.#owedRests !== 0) this.broken.push(`${this.#owedRests} ends without a return to the default pose`);
  }

  #launch(app: InstalledApp): AppProcess {
    this.launches += 1;
    if (app.info.name === "broken") throw new WorkbenchError("app-start-failed", "no such program");
    if (this.alive.size > 0) this.broken.push("two apps at once");
    if (this.#moving > 0 || this.#owedRests > 0) this.broken.push("launched before the robot was back");
    let asked = false;
    let settle = (_: AppEnd) => {};
    const gone = new Promise<AppEnd>((resolve) => {
      settle = resolve;
    });
    const process: AppProcess = {
      pid: this.launches,
      gone,
      stop: () => {
        if (asked) this.broken.push("asked to stop twice");
        asked = true;
        void this.#takesTime("exit after stop", () => this.alive.get(process)?.(CLEAN));
      },
    };
    this.alive.set(process, (end) => {
      this.alive.delete(process);
      this.#owedRests += 1;
      settle(end);
    });
    return process;
  }

  #onChange(state: string): void {
    const before = this.states.at(-1) ?? "done";
    if (LEGAL[before]?.includes(state) !== true) this.broken.push(`from ${before} to ${state}`);
    if ((state === "done" || state === "error") && this.alive.size > 0) this.broken.push(`${state} with a living app`);
    this.states.push(state);
  }

  #takesTime<T>(label: string, what: () => T): Promise<T> {
    return this.#s.schedule(Promise.resolve(), label).then(what);
  }
}

/** The lifecycle: what may follow each state. */
const LEGAL: Record<string, readonly string[]> = {
  done: ["starting"],
  error: ["starting"],
  starting: ["running", "stopping", "done", "error"],
  running: ["stopping", "done", "error"],
  stopping: ["done", "error"],
};

function findApp(name: string): InstalledApp {
  if (name === "unknown") throw new WorkbenchError("app-not-found", "no such app");
  const info = { name, source_kind: "installed", description: "", url: null, extra: {} } as const;
  return { info, module: `${name}.main`, file: null };
}
