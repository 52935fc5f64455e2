import type { Clock } from "./clock.ts";

const PERIOD_MS = 1000;

/** Lets something happen at most once a second for each key, and counts what it suppressed. */
export class Throttle {
  readonly #clock: Clock;
  readonly #last = new Map<string, { at: number; suppressed: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `callback` unless it did so for this key within the last second. `suppressed`: calls that it left out since. */
  run(key: string, callback: (suppressed: number) => void): void {
    const now = this.#clock.now();
    const last = this.#last.get(key);
    if (last !== undefined && now - last.at < PERIOD_MS) {
      last.suppressed++;
      return;
    }
    this.#last.set(key, { at: now, suppressed: 0 });
    callback(last?.suppressed ?? 0);
  }
}
