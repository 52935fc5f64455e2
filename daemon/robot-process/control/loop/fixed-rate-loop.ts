import type { PreciseClock } from "../../../../common/time/clock.ts";

/** Periods kept for the statistics: five seconds at 100 Hz. */
const RING = 512;
const STATISTICS_EVERY_MS = 1000;

export interface LoopStatistics {
  frequencyHz: number;
  periodP50Ms: number;
  periodP99Ms: number;
  /** Periods left out since the start because a tick, or something else on this machine, took too long. */
  missed: number;
}

/**
 * Calls `tick` on a fixed grid of times, so that a late timer does not shift the ones after it. A tick that overruns
 * loses the periods it covers; they are counted, not made up for.
 */
export class FixedRateLoop {
  readonly #clock: PreciseClock;
  readonly #periodMs: number;
  readonly #tick: (elapsedMs: number) => Promise<void>;
  readonly #periods = new Float64Array(RING);
  #recorded = 0;
  #missed = 0;
  #next = 0;
  #lastStart = 0;
  #running = false;
  #cancelTimer: () => void = () => undefined;
  #idle: Promise<void> = Promise.resolve();
  #statistics: LoopStatistics = { frequencyHz: 0, periodP50Ms: 0, periodP99Ms: 0, missed: 0 };
  #statisticsAt = 0;

  /** @param tick must not reject; gets the milliseconds since the tick before it */
  constructor(clock: PreciseClock, periodMs: number, tick: (elapsedMs: number) => Promise<void>) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#tick = tick;
  }

  start(): void {
    this.#running = true;
    this.#lastStart = this.#clock.now();
    this.#next = this.#lastStart + this.#periodMs;
    this.#schedule();
  }

  /** Resolves when the running tick is over. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#cancelTimer();
    await this.#idle;
  }

  /** Over the last five seconds, worked out once a second. */
  get statistics(): LoopStatistics {
    const now = this.#clock.now();
    if (now - this.#statisticsAt >= STATISTICS_EVERY_MS) {
      this.#statisticsAt = now;
      this.#statistics = this.#summary();
    }
    return this.#statistics;
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.at(this.#next, () => {
      this.#idle = this.#run();
    });
  }

  async #run(): Promise<void> {
    const start = this.#clock.now();
    const elapsed = start - this.#lastStart;
    this.#lastStart = start;
    this.#periods[this.#recorded++ % RING] = elapsed;
    await this.#tick(elapsed);
    if (!this.#running) return;
    this.#next += this.#periodMs;
    const lateMs = this.#clock.now() - this.#next;
    if (lateMs > 0) {
      const skippedTicks = Math.ceil(lateMs / this.#periodMs);
      this.#missed += skippedTicks;
      this.#next += skippedTicks * this.#periodMs;
    }
    this.#schedule();
  }

  #summary(): LoopStatistics {
    const sorted = this.#periods.slice(0, Math.min(this.#recorded, RING)).sort();
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
