/**
 * Sends values of which only the newest counts. While one has not left this process yet, a newer one replaces the one that
 * waits, so that a reader that has stalled costs no memory.
 */
export class NewestSender<T> {
  readonly #send: (value: T, onSent: () => void) => void;
  #isSending = false;
  #waiting: { value: T } | undefined;

  /** @param send calls `onSent` when the value has left this process */
  constructor(send: (value: T, onSent: () => void) => void) {
    this.#send = send;
  }

  send(value: T): void {
    if (this.#isSending) {
      this.#waiting = { value };
      return;
    }
    this.#isSending = true;
    this.#send(value, () => this.#onSent());
  }

  #onSent(): void {
    this.#isSending = false;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.send(waiting.value);
  }
}
