import type { Clock } from "../../clock.ts";
import { type Kin, membersOf, send } from "./members.ts";

/** From SIGTERM to SIGKILL, and from there to giving up on a process that is stuck inside the kernel. */
const TERM_MS = 1000;
const KILL_MS = 5000;

/**
 * Ends an app whose leader is alive: SIGINT to the leader alone, which sets its stop event; after the grace period
 * SIGTERM and then SIGKILL to everything of the app.
 */
export class Stopper {
  readonly #leader: number;
  readonly #kin: Kin;
  readonly #clock: Clock;
  readonly #graceMs: number;
  #callOff: (() => void) | null = null;
  #forced = false;
  #giveUp = (_: { code: null; signal: null }) => {};
  /** Settles when not even SIGKILL ends the leader. */
  readonly gaveUp = new Promise<{ code: null; signal: null }>((resolve) => {
    this.#giveUp = resolve;
  });

  constructor(leader: number, kin: Kin, clock: Clock, graceMs: number) {
    this.#leader = leader;
    this.#kin = kin;
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** True when SIGINT alone was not enough. */
  get forced(): boolean {
    return this.#forced;
  }

  /** Does nothing the second time. */
  stop(): void {
    if (this.#callOff !== null) return;
    send(this.#leader, "SIGINT");
    this.#next(this.#graceMs, () => this.#terminate());
  }

  /** The leader has gone: nothing more is sent. */
  leaderGone(): void {
    this.#callOff?.();
    this.#callOff = () => {};
  }

  #terminate(): void {
    this.#forced = true;
    void this.#sendAll("SIGTERM");
    this.#next(TERM_MS, () => this.#kill());
  }

  #kill(): void {
    void this.#sendAll("SIGKILL");
    this.#next(KILL_MS, () => this.#giveUp({ code: null, signal: null }));
  }

  #next(milliseconds: number, step: () => void): void {
    this.#callOff = this.#clock.after(milliseconds, step);
  }

  async #sendAll(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await membersOf(this.#kin)) send(pid, signal);
  }
}
