import type { PreciseClock } from "../../../../common/time/clock.ts";

/** The time that the statistics cover, and the ticks kept for them: five seconds at 100 Hz. */
const STATISTICS_OVER_MS = 5000;
const RING = 512;
const STATISTICS_EVERY_MS = 1000;

interface LoopStatistics {
  frequencyHz: number;
  periodP50Ms: number;
  periodP99Ms: number;
  /** Periods left out since the start because a tick, or something else on this machine, took too long. */
  missed: number;
}

/** What a tick gets: the time since the tick before it, and the same in whole periods. */
export interface TickTime {
  /** Milliseconds, without the periods that were left out on request. */
  elapsedMs: number;
  periods: number;
}

/**
 * Calls `tick` on a fixed grid of times, so that a late timer does not shift the ones after it. A tick that overruns
 * loses the periods it covers; they are counted, not made up for. A tick may ask for the next one to come after several
 * periods; `wake` makes it come in the next period after all.
 */
export class FixedRateLoop {
  readonly #clock: PreciseClock;
  readonly #periodMs: number;
  readonly #tick: (time: TickTime) => Promise<number>;
  readonly #periods = new Float64Array(RING);
  readonly #starts = new Float64Array(RING);
  #recorded = 0;
  #missed = 0;
  /** Time of the next tick, and of the one before it on the grid. */
  #next = 0;
  #last = 0;
  #lastStart = 0;
  #isWaiting = false;
  #running = false;
  #cancelTimer: () => void = () => undefined;
  #idle: Promise<void> = Promise.resolve();
  #statistics: LoopStatistics = { frequencyHz: 0, periodP50Ms: 0, periodP99Ms: 0, missed: 0 };
  #statisticsAt = 0;

  /** @param tick must not reject; settles with the number of periods until the next tick, 1 or more */
  constructor(clock: PreciseClock, periodMs: number, tick: (time: TickTime) => Promise<number>) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#tick = tick;
  }

  start(): void {
    this.#running = true;
    this.#lastStart = this.#clock.now();
    this.#last = this.#lastStart;
    this.#next = this.#last + this.#periodMs;
    this.#schedule();
  }

  /** Lets the next tick come in the next period, if it was to come later. */
  wake(): void {
    const passed = Math.ceil((this.#clock.now() - this.#last) / this.#periodMs);
    const soonest = this.#last + Math.max(1, passed) * this.#periodMs;
    if (!this.#isWaiting || soonest >= this.#next) return;
    this.#cancelTimer();
    this.#next = soonest;
    this.#schedule();
  }

  /** Resolves when the running tick is over. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#isWaiting = false;
    this.#cancelTimer();
    await this.#idle;
  }

  /** Over the last five seconds, worked out once a second. Periods that were left out on request do not count. */
  get statistics(): LoopStatistics {
    const now = this.#clock.now();
    if (now - this.#statisticsAt >= STATISTICS_EVERY_MS) {
      this.#statisticsAt = now;
      this.#statistics = this.#summary();
    }
    return this.#statistics;
  }

  #schedule(): void {
    const run = () => {
      this.#isWaiting = false;
      this.#idle = this.#run();
    };
    this.#isWaiting = true;
    const ms = this.#next - this.#clock.now();
    // A tick that comes after several periods need not be exact, and an exact timer wakes the thread twice.
    this.#cancelTimer = ms > 2 * this.#periodMs ? this.#clock.after(ms, run) : this.#clock.at(this.#next, run);
  }

  async #run(): Promise<void> {
    const start = this.#clock.now();
    const periods = Math.round((this.#next - this.#last) / this.#periodMs);
    const elapsedMs = start - this.#lastStart - (periods - 1) * this.#periodMs;
    this.#lastStart = start;
    this.#last = this.#next;
    const entry = this.#recorded++ % RING;
    this.#periods[entry] = elapsedMs;
    this.#starts[entry] = start;
    const pause = await this.#tick({ elapsedMs, periods });
    if (!this.#running) return;
    this.#next += this.#periodMs;
    const lateMs = this.#clock.now() - this.#next;
    if (lateMs > 0) {
      const skippedTicks = Math.ceil(lateMs / this.#periodMs);
      this.#missed += skippedTicks;
      this.#next += skippedTicks * this.#periodMs;
      this.#last += skippedTicks * this.#periodMs;
    }
    this.#next += (pause - 1) * this.#periodMs;
    this.#schedule();
  }

  #summary(): LoopStatistics {
    const since = this.#clock.now() - STATISTICS_OVER_MS;
    const recorded = this.#periods.slice(0, Math.min(this.#recorded, RING));
    const sorted = recorded.filter((_, entry) => (this.#starts[entry] ?? 0) >= since).sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const mean = sorted.reduce((sum, period) => sum + period, 0) / sorted.length;
    return {
      frequencyHz: sorted.length > 0 ? 1000 / mean : 0,
      periodP50Ms: at(0.5),
      periodP99Ms: at(0.99),
      missed: this.#missed,
    };
  }
}
