import type { PreciseClock } from "../../common/time/clock.ts";
import { ManualClock, UNIX_START } from "../../common/time/manual-clock.ts";

/** Milliseconds by which a timer is late at most. */
const MAX_LATE_MS = 1;

export type Range = readonly [from: number, to: number];

/** A random number of a range. */
export const between = (random: () => number, [from, to]: Range): number => from + (to - from) * random();

/** The one clock of a system. It jumps from timer to timer; timers are late, and the wall clock jumps. */
export class SystemClock extends ManualClock {
  readonly #random: () => number;
  /** Milliseconds that the wall clock is off. */
  wallClockOffset = 0;
  override unixTime = (): number => UNIX_START + this.now() + this.wallClockOffset;

  constructor(random: () => number) {
    super();
    this.#random = random;
  }

  override after(ms: number, callback: () => void): () => void {
    return super.after(Math.max(0, ms) + MAX_LATE_MS * this.#random(), callback);
  }

  override at(time: number, callback: () => void): () => void {
    return super.after(time - this.now(), callback);
  }
}

/** The clock as one process sees it: its timers end with the process, and wait while the process is stopped. */
export class ProcessClock implements PreciseClock {
  readonly #clock: SystemClock;
  readonly #cancels = new Set<() => void>();
  #stoppedUntil = 0;
  #isDead = false;

  constructor(clock: SystemClock) {
    this.#clock = clock;
  }

  now = (): number => this.#clock.now();
  unixTime = (): number => this.#clock.unixTime();

  /** Number of timers that are set. */
  get timers(): number {
    return this.#cancels.size;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  after(ms: number, callback: () => void): () => void {
    return this.#set((run) => this.#clock.after(ms, run), callback);
  }

  at(time: number, callback: () => void): () => void {
    return this.#set((run) => this.#clock.at(time, run), callback);
  }

  /** Stops the process for some milliseconds, as SIGSTOP and SIGCONT do. */
  stop(ms: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.now() + ms);
  }

  /** The process has ended. */
  end(): void {
    this.#isDead = true;
    for (const cancel of [...this.#cancels]) cancel();
  }

  #set(schedule: (run: () => void) => () => void, callback: () => void): () => void {
    if (this.#isDead) return () => undefined;
    const run = (): void => {
      if (this.now() < this.#stoppedUntil) unset = this.#clock.at(this.#stoppedUntil, run);
      else {
        this.#cancels.delete(cancel);
        callback();
      }
    };
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      unset();
    };
    let unset = schedule(run);
    this.#cancels.add(cancel);
    return cancel;
  }
}
