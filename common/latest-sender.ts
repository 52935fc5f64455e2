/** Sends values one at a time, in order. A value that waits is replaced by a newer one. */
export class LatestSender<T> {
  readonly #send: (value: T) => Promise<unknown>;
  #waiting: { value: T } | undefined;
  #isSending = false;

  constructor(send: (value: T) => Promise<unknown>) {
    this.#send = send;
  }

  get isSending(): boolean {
    return this.#isSending;
  }

  /**
   * Sends a value, or lets it wait for the one before. The call that started to send resolves when nothing waits any
   * more; it rejects, and the waiting value is dropped, when sending fails.
   */
  async send(value: T): Promise<void> {
    this.#waiting = { value };
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting !== undefined) {
        const { value: next }: { value: T } = this.#waiting;
        this.#waiting = undefined;
        await this.#send(next);
      }
    } finally {
      this.#waiting = undefined;
      this.#isSending = false;
    }
  }
}
