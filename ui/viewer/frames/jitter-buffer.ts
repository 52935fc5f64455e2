/** Seconds between the newest state and what is drawn: one and a half state intervals hide the network's jitter. */
const DELAY = 0.05;
const CAPACITY = 16;
/** Seconds between two stamps beyond which the buffer starts over: nothing is interpolated over such a gap. */
const LARGEST_GAP = 2;
/** Seconds that the clock offset may grow with every state, so that clocks which drift apart stay aligned. */
const DRIFT = 1e-4;

/**
 * Plays back unevenly arriving states evenly, `DELAY` late. Stamps are the sender's clock in seconds, `now` is the
 * viewer's; the smallest difference seen between the two counts as their offset.
 */
export class JitterBuffer<T> {
  readonly #entries: { stamp: number; frame: T }[] = [];
  readonly #interpolate: (from: T, to: T, share: number) => T;
  #offset = Number.POSITIVE_INFINITY;

  constructor(interpolate: (from: T, to: T, share: number) => T) {
    this.#interpolate = interpolate;
  }

  /** A repeated stamp is ignored; an older one starts over: the sender restarted or a recording was rewound. */
  push(stamp: number, frame: T, now: number): void {
    const last = this.#entries.at(-1);
    if (stamp === last?.stamp) return;
    if (last !== undefined && (stamp < last.stamp || stamp > last.stamp + LARGEST_GAP)) this.clear();
    this.#offset = Math.min(this.#offset + DRIFT, now - stamp);
    this.#entries.push({ stamp, frame });
    if (this.#entries.length > CAPACITY) this.#entries.shift();
  }

  clear(): void {
    this.#entries.length = 0;
    this.#offset = Number.POSITIVE_INFINITY;
  }

  /** The frame to draw at `now`; undefined before the first push. */
  sample(now: number): T | undefined {
    const stamp = now - this.#offset - DELAY;
    const next = this.#entries.findIndex((entry) => entry.stamp > stamp);
    if (next === -1) return this.#entries.at(-1)?.frame;
    const after = this.#entries[next];
    const before = this.#entries[next - 1];
    if (after === undefined || before === undefined) return after?.frame;
    return this.#interpolate(before.frame, after.frame, (stamp - before.stamp) / (after.stamp - before.stamp));
  }
}
