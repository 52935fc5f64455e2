import { setTimeout as delay } from "node:timers/promises";

/** Calls functions in the order in which they are added, each after a delay of its own. */
export class DelayedQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `action` after `delayMs`, and after those that wait; at once when that is 0 and none waits. */
  add(delayMs: number, action: () => void): void {
    if (delayMs === 0 && this.#waiting === 0) {
      action();
      return;
    }
    this.#waiting += 1;
    this.#last = Promise.all([this.#last, delay(delayMs)]).then(() => {
      this.#waiting -= 1;
      action();
    });
  }
}
