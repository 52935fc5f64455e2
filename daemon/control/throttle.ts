import type { Clock } from "../clock.ts";

const PERIOD_MS = 1000;

/** Lets something happen at most once a second for each key, and counts what it held back. */
export class Throttle {
  readonly #clock: Clock;
  readonly #last = new Map<string, { at: number; held: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back, unless it did so for this key within the last second; `held` is how often it did not since then. */
  run(key: string, callback: (held: number) => void): void {
    const now = this.#clock.now();
    const last = this.#last.get(key);
    if (last !== undefined && now - last.at < PERIOD_MS) {
      last.held++;
      return;
    }
    this.#last.set(key, { at: now, held: 0 });
    callback(last?.held ?? 0);
  }
}
