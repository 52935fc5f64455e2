/** The connection that a queue sends through. */
interface Transport {
  /** Bytes that were sent and that the system has not taken yet. */
  readonly bufferedBytes: number;
  /** Sends one message; calls `onTaken` when the system has taken it. */
  send(message: string | Uint8Array, onTaken: () => void): void;
  /** Ends the connection and gives the client the reason, if the connection has a way to do so. */
  close(reason: string): void;
}

/** A client with more bytes than this in its buffer is behind: it gets no state and no samples. */
const BEHIND_BYTES = 64_000;
/** A client with more bytes than this in its buffer does not read, and is disconnected. */
const MAX_BUFFERED_BYTES = 1_000_000;

/**
 * The outgoing messages of one client, with bounded memory. Each kind of message has its policy for a client that reads
 * too slowly:
 *
 * - `send`: every message counts (replies, events, log lines). Too many of them end the connection with a reason.
 * - `sendNewest`: only the newest message of a name counts (states). It replaces the one that waits.
 * - `sendOrDrop`: late is worthless (sound). The message is dropped.
 */
export class OutgoingQueue {
  readonly #transport: Transport;
  readonly #waiting = new Map<string, string>();
  #isClosed = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: string): void {
    if (this.#isClosed) return;
    if (this.#transport.bufferedBytes > MAX_BUFFERED_BYTES) {
      this.close(`more than ${MAX_BUFFERED_BYTES / 1_000_000} MB of unread messages`);
      return;
    }
    this.#write(message);
  }

  /** @param name messages of this name replace each other */
  sendNewest(name: string, message: string): void {
    if (this.#isClosed) return;
    if (this.#isBehind) this.#waiting.set(name, message);
    else this.#write(message);
  }

  sendOrDrop(message: Uint8Array): void {
    if (!this.#isClosed && !this.#isBehind) this.#write(message);
  }

  /** Ends the connection; what waits is dropped. */
  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.clear();
    this.#transport.close(reason);
  }

  get #isBehind(): boolean {
    return this.#transport.bufferedBytes > BEHIND_BYTES;
  }

  #write(message: string | Uint8Array): void {
    this.#transport.send(message, () => this.#flush());
  }

  #flush(): void {
    for (const [name, message] of this.#waiting) {
      if (this.#isClosed || this.#isBehind) return;
      this.#waiting.delete(name);
      this.#write(message);
    }
  }
}
