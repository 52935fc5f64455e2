import { BoundedQueue, type SharedBudget } from "../../../../common/bounded.ts";

/** Ten minutes at 100 Hz, as JSON. */
const LIMITS = { pieces: 60_000, bytes: 20_000_000 };
/** Of the recordings of all clients. */
export const ALL_RECORDINGS = { pieces: 180_000, bytes: 60_000_000 };
/** Bytes that a piece of text takes beside its characters. */
const TEXT_BYTES = 32;
/** A text with characters beyond Latin-1 takes two bytes for each. */
const WIDE = /[^\0-\xff]/;

/** The records of one motion recording, as JSON, which takes a fraction of the memory of objects. */
export class MotionRecording {
  readonly #records: BoundedQueue<string>;

  /** @param shared bounds the recordings of all clients */
  constructor(shared: SharedBudget) {
    this.#records = new BoundedQueue(LIMITS, shared);
  }

  /** Adds a record; returns false when it does not fit. */
  add(record: unknown): boolean {
    const json = JSON.stringify(record);
    return this.#records.push(json, TEXT_BYTES + json.length * (WIDE.test(json) ? 2 : 1));
  }

  /** Ends the recording. @returns its records as a JSON list */
  end(): string {
    return `[${this.#records.takeAll().join(",")}]`;
  }
}
