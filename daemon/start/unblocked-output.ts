import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Clock } from "../../common/time/clock.ts";

/** Bytes that wait for a reader at most. */
const MAX_WAITING = 64_000;
/** Milliseconds until it is tried again to write what waits. */
const RETRY_MS = 200;

/**
 * Makes a stream of standard output that never blocks the program: not while the reader of a pipe does not read, nor while a
 * terminal is stopped (Ctrl-S). Lines wait then, and are left out when too many do.
 * @param fd number of standard output, of which Node has made a stream (a socket does not block from then on)
 * @returns null for a file, and for a terminal or a pipe that cannot be opened a second time (not on Linux)
 */
export function openUnblocked(fd: number, clock: Clock): Writable | null {
  try {
    const target = fstatSync(fd);
    if (target.isSocket()) return new UnblockedOutput(fd, clock);
    if (!target.isFIFO() && !target.isCharacterDevice()) return null;
    // Opened again, since other programs share the one that is open, and may need it to block.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return new UnblockedOutput(openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY), clock);
  } catch {
    return null;
  }
}

class UnblockedOutput extends Writable {
  readonly #fd: number;
  readonly #clock: Clock;
  #waiting = Buffer.alloc(0);
  #leftOut = 0;
  #isRetrying = false;
  #isReaderGone = false;

  constructor(fd: number, clock: Clock) {
    super();
    this.#fd = fd;
    this.#clock = clock;
  }

  override _write(line: Buffer, _encoding: string, done: () => void): void {
    this.#writeWaiting();
    if (this.#waiting.length > MAX_WAITING) this.#leftOut += 1;
    else if (!this.#isReaderGone) this.#waiting = Buffer.concat([this.#waiting, line]);
    this.#writeWaiting();
    done();
  }

  #writeWaiting(): void {
    try {
      while (this.#waiting.length > 0) this.#waiting = this.#waiting.subarray(writeSync(this.#fd, this.#waiting));
      if (this.#leftOut === 0) return;
      const note = `[${this.#leftOut} lines of the log left out: nothing read them in time]\n`;
      this.#leftOut = 0;
      this.#waiting = Buffer.from(note);
      this.#writeWaiting();
    } catch (error) {
      this.#isReaderGone = (error as NodeJS.ErrnoException).code !== "EAGAIN";
      if (this.#isReaderGone) this.#waiting = Buffer.alloc(0);
      else this.#retry();
    }
  }

  #retry(): void {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    this.#clock.after(RETRY_MS, () => {
      this.#isRetrying = false;
      this.#writeWaiting();
    });
  }
}
