import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../../common/time/clock.ts";
import type { Connection } from "./connection-limits.ts";
import { Scope } from "./scope.ts";

interface UnreadLimits {
  /** Bytes that all clients together may leave unread. */
  totalBytes: number;
  /** Time in which a client has to read an answer, milliseconds. Streams may be behind for longer. */
  answerMs: number;
}

const LIMITS: UnreadLimits = { totalBytes: 48_000_000, answerMs: 30_000 };
const CHECK_MS = 250;

/** Closes connections of clients that do not read, so that what waits for all of them together is bounded. */
export class UnreadBytes {
  readonly #connections: () => Iterable<Connection>;
  readonly #limits: UnreadLimits;
  readonly #clock: Clock;
  readonly #scope = new Scope();
  /** When a connection began to have unread bytes. */
  readonly #since = new WeakMap<Duplex, number>();
  /** At most this many bytes are unread. */
  #estimate = 0;

  constructor(connections: () => Iterable<Connection>, clock: Clock, limits: UnreadLimits = LIMITS) {
    this.#connections = connections;
    this.#clock = clock;
    this.#limits = limits;
    this.#scope.repeat(clock, CHECK_MS, () => this.#check());
  }

  /** Counts an answer that is being sent. */
  add(bytes: number): void {
    this.#estimate += bytes;
    if (this.#estimate > this.#limits.totalBytes) this.#check();
  }

  close(): void {
    this.#scope.close();
  }

  /** Closes overdue connections; then, while too many bytes are unread, those with the most bytes for the longest time. */
  #check(): void {
    const now = this.#clock.now();
    const unread = [];
    for (const { socket, streams } of this.#connections()) {
      const bytes = socket.writableLength;
      const since = this.#since.get(socket) ?? now;
      if (bytes === 0) this.#since.delete(socket);
      else if (streams === 0 && now - since > this.#limits.answerMs) reset(socket);
      else {
        this.#since.set(socket, since);
        unread.push({ socket, bytes, weight: bytes * (now - since + CHECK_MS) });
      }
    }
    this.#estimate = unread.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#estimate <= this.#limits.totalBytes) return;
    for (const { socket, bytes } of unread.sort((one, other) => other.weight - one.weight)) {
      // Room for more, so that not every further answer leads to a check.
      if (this.#estimate <= this.#limits.totalBytes / 2) return;
      reset(socket);
      this.#estimate -= bytes;
    }
  }
}

/**
 * Closes a connection so that the system frees what it holds for the client (megabytes) immediately; after a close by the
 * book it keeps that for minutes, for a client that may still read.
 */
function reset(socket: Duplex): void {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else socket.destroy();
}
