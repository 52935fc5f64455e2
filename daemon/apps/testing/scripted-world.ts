import type { Scheduler } from "fast-check";
import { jumpingUnixTime } from "../../../common/testing/jumping-clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { AppEnd, AppProcess } from "../slot/app-process.ts";
import type { SlotParts } from "../slot/slot.ts";

/** Shorter timers fire at a moment that the scheduler picks; longer ones are deadlines for faults and never fire. */
const SHORT_TIMER_MS = 5000;
const CLEAN: AppEnd = { code: 0, signal: null, forced: false, lastErrors: [] };

/**
 * Simulates everything around a slot. Each thing that takes time is a task of the scheduler, which picks the order. The
 * wall clock jumps back and forth.
 * `broken` collects violated rules.
 */
export class ScriptedWorld {
  readonly broken: string[] = [];
  /** The living apps, and the function that ends each. */
  readonly alive = new Map<AppProcess, (end: AppEnd) => void>();
  readonly states: string[] = [];
  launches = 0;
  #moving = 0;
  #owedReturns = 0;
  #heldEnvironments = 0;
  readonly #s: Scheduler;

  constructor(s: Scheduler) {
    this.#s = s;
  }

  readonly parts: SlotParts = {
    find: (name) => this.#takesTime(`find ${name}`, () => findApp(name)),
    lock: () => () => {},
    environmentReady: () =>
      this.#takesTime("environmentReady", () => {
        this.#heldEnvironments += 1;
        let held = true;
        return () => {
          if (held) this.#heldEnvironments -= 1;
          held = false;
        };
      }),
    launch: (app) => {
      if (this.states.at(-1) !== "starting") this.broken.push(`launched while ${this.states.at(-1)}`);
      if (this.#heldEnvironments !== 1) this.broken.push("launched while the environment may change");
      return this.#takesTime(`launch ${app.info.name}`, () => this.#launch(app));
    },
    robot: {
      setAppProcessGroup: async () => {},
      cancelMove: async () => {
        this.#moving += 1;
        return this.#takesTime("cancelMove", () => true);
      },
      returnToDefault: () =>
        this.#takesTime("returnToDefault", () => {
          this.#moving -= 1;
          this.#owedReturns -= 1;
          return "finished" as const;
        }),
    },
    clock: {
      now: () => 0,
      unixTime: jumpingUnixTime(),
      after: (milliseconds, then) => {
        let active = milliseconds < SHORT_TIMER_MS;
        if (active) void this.#takesTime("timer", () => active && then());
        return () => {
          active = false;
        };
      },
    },
    onReturnFailed: (reason) => this.broken.push(reason),
  };

  /** Lets the first app end by itself. */
  endOne(code: number): void {
    const [first] = this.alive.values();
    first?.({ ...CLEAN, code });
  }

  /** Checks the rules that hold when no task is left. */
  check(): void {
    const held = this.states.at(-1) === "starting" ? 1 : 0;
    if (this.#heldEnvironments !== held) this.broken.push(`the environment is held ${this.#heldEnvironments} times`);
    if (this.#owedReturns !== 0)
      this.broken.push(`${this.#owedReturns} apps ended without a return to the default pose`);
  }

  #launch(app: InstalledApp): AppProcess {
    this.launches += 1;
    if (app.info.name === "broken") throw new WorkbenchError("app-start-failed", "no such program");
    if (this.alive.size > 0) this.broken.push("two apps at the same time");
    if (this.#moving > 0 || this.#owedReturns > 0) this.broken.push("launched before the robot had returned");
    let stopping = false;
    let settle = (_: AppEnd) => {};
    const exited = new Promise<AppEnd>((resolve) => {
      settle = resolve;
    });
    const process: AppProcess = {
      pid: this.launches,
      exited,
      connected: () => {},
      stop: () => {
        if (stopping) this.broken.push("stopped twice");
        stopping = true;
        void this.#takesTime("exit after stop", () => this.alive.get(process)?.(CLEAN));
      },
    };
    this.alive.set(process, (end) => {
      this.alive.delete(process);
      this.#owedReturns += 1;
      settle(end);
    });
    return process;
  }

  /** Checks a change of the slot's state. */
  onState(state: string): void {
    const before = this.states.at(-1) ?? "done";
    if (LEGAL[before]?.includes(state) !== true) this.broken.push(`from ${before} to ${state}`);
    if (state !== "starting" && this.#heldEnvironments > 0) this.broken.push(`the environment is held while ${state}`);
    if ((state === "done" || state === "error") && this.alive.size > 0) this.broken.push(`${state} with a living app`);
    this.states.push(state);
  }

  #takesTime<T>(label: string, what: () => T): Promise<T> {
    return this.#s.schedule(Promise.resolve(), label).then(what);
  }
}

/** The states that may follow each state. */
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
