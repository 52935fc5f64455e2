import type { Scheduler } from "fast-check";
import { jumpingUnixTime } from "../../../common/testing/jumping-clock.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { Invariants } from "../../testing/invariants.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { AppEnd, AppProcess } from "../slot/run.ts";
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
  readonly #invariants = new Invariants();
  readonly broken = this.#invariants.violations;
  /** The living apps, and the function that ends each. */
  readonly alive = new Map<AppProcess, (end: AppEnd) => void>();
  readonly changes: Pick<AppStatus, "info" | "state">[] = [];
  launches = 0;
  /** Whether the robot is where an app left it. */
  isReturnOwed = false;
  #hasSession = false;
  /** Apps that have ended, and left a move running. */
  #leftMoving = 0;
  #heldEnvironments = 0;
  readonly #s: Scheduler;

  constructor(s: Scheduler) {
    this.#s = s;
  }

  readonly parts: SlotParts = {
    find: (name) => this.#takesTime(`find ${name}`, () => findApp(name)),
    lock: ({ info }) => {
      this.locked.push(info.name);
      return () => this.locked.splice(this.locked.indexOf(info.name), 1);
    },
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
      const { state, info } = this.changes.at(-1) ?? {};
      if (state !== "starting" || info?.name !== app.info.name) this.broken.push(`launched while ${state}`);
      if (this.#heldEnvironments !== 1) this.broken.push("launched while the environment may change");
      return this.#takesTime(`launch ${app.info.name}`, () => this.#launch(app));
    },
    robot: {
      beginAppSession: async () => {
        this.#hasSession = true;
        this.isReturnOwed = false;
      },
      cancelMove: () =>
        this.#takesTime("cancelMove", () => {
          this.#leftMoving = 0;
          return true;
        }),
      endAppSession: () => {
        if (!this.#hasSession) this.broken.push("a return after no app");
        this.#hasSession = false;
        return this.#takesTime("endAppSession", () => {
          this.#leftMoving = 0;
          this.isReturnOwed = false;
          return "finished" as const;
        });
      },
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

  /** Names of the apps that are locked against changes. */
  readonly locked: string[] = [];
  /** Names of the apps that may start where the robot is. */
  readonly inPlace = new Set<string>();

  /** Lets the first app end by itself. */
  endOne(code: number): void {
    const [first] = this.alive.values();
    first?.({ ...CLEAN, code });
  }

  /** Checks the rules that hold when no task is left. */
  check(): void {
    const { state, info } = this.changes.at(-1) ?? {};
    const held = state === "starting" ? 1 : 0;
    if (this.#heldEnvironments !== held) this.broken.push(`the environment is held ${this.#heldEnvironments} times`);
    if (this.alive.size === 0 && this.isReturnOwed) this.broken.push("the robot has not returned to its default pose");
    const locked = this.alive.size > 0 ? [info?.name] : [];
    if (String(this.locked) !== String(locked)) this.broken.push(`${this.locked} are locked while ${locked} runs`);
  }

  #launch(app: InstalledApp): AppProcess {
    this.launches += 1;
    if (app.info.name.startsWith("broken")) throw new WorkbenchError("app-start-failed", "no such program");
    this.#invariants.appLaunched(this.alive.size);
    const isInPlace = this.inPlace.has(app.info.name);
    if (this.#leftMoving > 0 || (this.isReturnOwed && !isInPlace))
      this.broken.push("launched before the robot had returned");
    let stopping = false;
    let settle = (_: AppEnd) => {};
    const exited = new Promise<AppEnd>((resolve) => {
      settle = resolve;
    });
    const process: AppProcess = {
      pid: this.launches,
      exited,
      mainHasExited: false,
      cannotLook: null,
      ownsConnection: async () => true,
      connected: () => {},
      stop: () => {
        if (stopping) this.broken.push("stopped twice");
        stopping = true;
        void this.#takesTime("exit after stop", () => this.alive.get(process)?.(CLEAN));
      },
    };
    this.alive.set(process, (end) => {
      this.alive.delete(process);
      this.isReturnOwed = true;
      this.#leftMoving += 1;
      settle(end);
    });
    return process;
  }

  /** Checks a change of the slot's state. */
  onChange({ state, info }: AppStatus): void {
    this.#invariants.slotChanged({ state, info }, this.alive.size);
    if (state !== "starting" && this.#heldEnvironments > 0) this.broken.push(`the environment is held while ${state}`);
    this.changes.push({ state, info });
  }

  #takesTime<T>(label: string, what: () => T): Promise<T> {
    return this.#s.schedule(Promise.resolve(), label).then(what);
  }
}

function findApp(name: string): InstalledApp {
  if (name.startsWith("unknown")) throw new WorkbenchError("app-not-found", "no such app");
  const info = { name, source_kind: "installed", description: "", url: null, extra: {} } as const;
  return { info, module: `${name}.main`, file: null };
}
