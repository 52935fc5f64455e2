import type { AppState, AppStatus } from "../../robot/wire/apps/app-status.ts";

/** Limits of what must hold; milliseconds and radians. */
export const LIMITS = {
  /** From a kill, a stop or the end of an app to a free slot. */
  slotFreesMs: 30_000,
  /** From the end of an app, or from the connection to the robot, to the default pose. */
  returnsMs: 12_000,
  /** Of a joint that has returned. */
  poseError: 0.06,
} as const;

/** The states that may follow each state of the slot. */
const NEXT_STATES: Record<AppState, readonly AppState[]> = {
  done: ["starting"],
  error: ["starting"],
  starting: ["running", "stopping", "done", "error"],
  running: ["stopping", "done", "error"],
  stopping: ["done", "error"],
};

const isFinal = (state: AppState): boolean => state === "done" || state === "error";

/**
 * What must hold for every daemon at any time, for tests and tools that watch one: at most one app, a slot that frees after
 * every end, the default pose after every end, exact refusals, nothing lost of what was answered with success, bounded queues.
 * Each method gets what was observed; `violations` collects what must not be.
 */
export class Invariants {
  readonly violations: string[] = [];
  #slot: Pick<AppStatus, "info" | "state"> | null = null;

  /** Of the slot, as far as it was observed; null before the first app. */
  get slot(): Pick<AppStatus, "info" | "state"> | null {
    return this.#slot;
  }

  /** @param violation a sentence */
  require(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }

  /** A daemon has started: its slot is free. @param apps living processes of apps */
  daemonStarted(apps: number): void {
    this.#slot = null;
    this.require(apps === 0, `a daemon offers the slot while ${apps} processes of an app live`);
  }

  /** @param apps living processes of apps besides the new one */
  appLaunched(apps: number): void {
    const state = this.#slot?.state ?? "free";
    this.require(apps === 0, "two apps at the same time");
    this.require(state === "starting" || state === "stopping", `an app is launched while the slot is ${state}`);
  }

  /** @param apps living processes of apps */
  slotChanged({ info, state }: Pick<AppStatus, "info" | "state">, apps: number): void {
    const before = this.#slot?.state ?? "done";
    this.require(NEXT_STATES[before].includes(state), `the slot goes from ${before} to ${state}`);
    if (state !== "starting")
      this.require(this.#slot?.info.name === info.name, `${info.name} is ${state} without having the slot`);
    if (isFinal(state)) this.require(apps === 0, `${info.name} is ${state} while ${apps} of its processes live`);
    this.#slot = { info, state };
  }

  /** The slot's own status must be what its last change reported. */
  slotReported(status: Pick<AppStatus, "info" | "state"> | null): void {
    const [reported, known] = [status, this.#slot].map((slot) => slot && `${slot.info.name} ${slot.state}`);
    this.require(reported === known, `the slot is ${reported} and reported ${known}`);
  }

  /** @param ms how long the slot has been claimed while no app lived, or while one was stopped */
  slotStuck(ms: number): void {
    this.require(ms <= LIMITS.slotFreesMs, `the slot stays ${this.#slot?.state} without an app`);
  }

  /** The robot had time to return after an app. @param error the largest of a joint, radians */
  poseAfterApp(error: number): void {
    this.require(error <= LIMITS.poseError, `${error.toFixed(2)} rad from the default pose after an app`);
  }

  /**
   * A request was refused.
   * @param allowed codes that its route documents
   * @param seen what happened between request and answer: whether the slot was busy, and whether only this request began an app
   */
  refused(
    what: string,
    { code, message }: { code: string; message: string },
    allowed: readonly string[],
    seen: { slotWasBusy: boolean; beganApp: boolean },
  ): void {
    this.require(allowed.includes(code), `${what} is refused with ${code}: ${message}`);
    if (code === "app-already-running") {
      this.require(message === "An app is already running", `${what} is refused with "${message}"`);
      this.require(seen.slotWasBusy, `${what} is refused while the slot is free`);
    }
    if (REFUSED_BEFORE_CLAIM.includes(code)) this.require(!seen.beganApp, `${what} is refused and began the app`);
  }

  /** What was answered with success is still there. */
  kept(what: string, answered: unknown, found: unknown): void {
    const [wanted, present] = [answered, found].map((value) => JSON.stringify(value));
    this.require(wanted === present, `${what} was set to ${wanted} and is ${present}`);
  }

  bounded(what: string, size: number, limit: number): void {
    this.require(size <= limit, `${size} ${what}, more than ${limit}`);
  }
}

/** Refusals of a start that come before it has claimed the slot. */
const REFUSED_BEFORE_CLAIM: readonly string[] = ["app-already-running", "app-not-found", "no-app-running"];
