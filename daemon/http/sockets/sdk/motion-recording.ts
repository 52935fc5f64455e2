/** Ten minutes at 100 Hz. */
const MAX_RECORDS = 60_000;
/** What the records of one recording may take, as JSON. */
const MAX_BYTES = 20_000_000;

/** The records of one motion recording; the ones that exceed its limits are dropped. */
export class MotionRecording {
  readonly records: unknown[] = [];
  #bytes = 0;

  /** @param bytes length of the record as JSON */
  add(record: unknown, bytes: number): void {
    if (this.records.length >= MAX_RECORDS || this.#bytes + bytes > MAX_BYTES) return;
    this.#bytes += bytes;
    this.records.push(record);
  }
}
