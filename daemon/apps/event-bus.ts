import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { AppEvent, AppListener } from "./app-events.ts";

const KEPT = 100;

/** Hands events to all listeners; what happens before the first one listens waits for it. */
export class EventBus {
  readonly #listeners = new Set<AppListener>();
  #waiting: AppEvent[] = [];

  emit(event: AppEvent): void {
    if (this.#listeners.size === 0) this.#waiting = [...this.#waiting, event].slice(-KEPT);
    for (const listener of [...this.#listeners]) listener(event);
  }

  on(listener: AppListener): Unsubscribe {
    this.#listeners.add(listener);
    for (const event of this.#waiting.splice(0)) listener(event);
    return () => this.#listeners.delete(listener);
  }
}
