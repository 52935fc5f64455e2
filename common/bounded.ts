/*
 * The pattern of every queue that somebody else fills: a bound in pieces and in bytes, of each owner and in sum over the owners,
 * and work that takes its share of each turn of the event loop. What does not fit is refused, and the owner says what that means.
 */

/** Pieces and bytes at most. A piece without bytes takes memory, too. */
interface Bounds {
  readonly pieces: number;
  readonly bytes: number;
}

/** What several owners may hold together. */
export class SharedBudget {
  readonly #limits: Bounds;
  #pieces = 0;
  #bytes = 0;

  constructor(limits: Bounds) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes room for some pieces, or none when there is not enough; returns whether it took it. */
  take(pieces: number, bytes: number): boolean {
    if (this.#pieces + pieces > this.#limits.pieces || this.#bytes + bytes > this.#limits.bytes) return false;
    this.#pieces += pieces;
    this.#bytes += bytes;
    return true;
  }

  give(pieces: number, bytes: number): void {
    this.#pieces -= pieces;
    this.#bytes -= bytes;
  }
}

/** A first-in, first-out queue of one owner. */
export class BoundedQueue<T> {
  readonly #limits: Bounds;
  readonly #shared: SharedBudget | null;
  #items: { item: T; bytes: number }[] = [];
  /** How many of the first items were taken. */
  #taken = 0;
  #bytes = 0;

  /** @param shared bounds the sum over all queues that have it */
  constructor(limits: Bounds, shared: SharedBudget | null = null) {
    this.#limits = limits;
    this.#shared = shared;
  }

  /** Pieces in the queue. */
  get length(): number {
    return this.#items.length - this.#taken;
  }

  /** Appends a piece and returns true, or returns false when it does not fit. */
  push(item: T, bytes: number): boolean {
    if (this.length >= this.#limits.pieces || this.#bytes + bytes > this.#limits.bytes) return false;
    if (this.#shared?.take(1, bytes) === false) return false;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    return true;
  }

  /** Takes the first piece; undefined when there is none. */
  shift(): T | undefined {
    const first = this.#items[this.#taken];
    if (first === undefined) return undefined;
    this.#taken += 1;
    this.#bytes -= first.bytes;
    this.#shared?.give(1, first.bytes);
    // Each piece is moved once on average, whatever the length.
    if (2 * this.#taken > this.#items.length) [this.#items, this.#taken] = [this.#items.slice(this.#taken), 0];
    return first.item;
  }

  /** Takes all pieces. */
  takeAll(): T[] {
    const all = this.#items.slice(this.#taken).map(({ item }) => item);
    this.#shared?.give(all.length, this.#bytes);
    [this.#items, this.#taken, this.#bytes] = [[], 0, 0];
    return all;
  }
}

/**
 * Work that may be done in one turn of the event loop, in units of the owner's choice; the rest waits for the next turn, and
 * timers, connections and other work come in between.
 */
export class TurnBudget {
  readonly #units: number;
  #left: number;
  #isScheduled = false;
  /** In the order in which they came. */
  readonly #waiting: { units: number; callback: () => void }[] = [];

  constructor(units: number) {
    this.#units = units;
    this.#left = units;
  }

  /** Takes units of this turn; none when too few are left or others wait. Returns whether it took them. */
  take(units = 1): boolean {
    return this.#waiting.length === 0 && this.#tryTake(units);
  }

  /** Calls back when the units are taken, in a later turn. An owner waits for one piece of work at a time. */
  whenTaken(units: number, callback: () => void): void {
    this.#waiting.push({ units, callback });
    this.#schedule();
  }

  /** The first of a turn always fits. */
  #tryTake(units: number): boolean {
    if (this.#left < units && this.#left < this.#units) return false;
    this.#left -= units;
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.#units;
      for (let first = this.#waiting[0]; first !== undefined && this.#tryTake(first.units); first = this.#waiting[0]) {
        this.#waiting.shift();
        first.callback();
      }
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
