/** Ends a subscription; further calls do nothing. */
export type Unsubscribe = () => void;

/** Hands each value to all listeners, in the order in which they subscribed. */
export class Emitter<T> {
  readonly #subscriptions = new Set<{ listener: (value: T) => void }>();
  readonly #backlogLimit: number;
  #backlog: T[] = [];

  /** @param backlogLimit number of values, the newest, that wait for the first listener while there is none; default 0 */
  constructor(backlogLimit = 0) {
    this.#backlogLimit = backlogLimit;
  }

  /** Number of listeners. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Calls `listener` for each value from now on, and immediately for those that waited for a first listener. */
  on(listener: (value: T) => void): Unsubscribe {
    const subscription = { listener };
    this.#subscriptions.add(subscription);
    for (const value of this.#backlog.splice(0)) listener(value);
    return () => this.#subscriptions.delete(subscription);
  }

  /** Calls all listeners. An error that a listener throws reaches the caller, and later listeners miss the value. */
  emit(value: T): void {
    if (this.#subscriptions.size === 0) {
      if (this.#backlogLimit > 0) this.#backlog = [...this.#backlog, value].slice(-this.#backlogLimit);
      return;
    }
    for (const { listener } of [...this.#subscriptions]) listener(value);
  }
}
