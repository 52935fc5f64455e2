import type { Clock } from "../../../common/time/clock.ts";
import { TokenBucket } from "../../../common/time/token-bucket.ts";

/** A line costs one token, and one more for each of these many characters. */
const CHARACTERS_PER_TOKEN = 1024;
/** Tokens that can be spent at the same time, and tokens that come back each second. */
const BURST = 2000;
const PER_SECOND = 500;
/** Time between two notices about lines that were left out. */
const NOTICE_MS = 1000;

/**
 * Limits how many lines an app brings into the log: passes what a token bucket allows and reports how many lines it
 * left out. After that, lines pass again when half a second's worth of tokens has come back.
 */
export class OutputLimiter {
  readonly #clock: Clock;
  readonly #onLine: (line: string) => void;
  readonly #bucket: TokenBucket;
  #leftOut = 0;
  #cancelNotice: (() => void) | null = null;

  constructor(clock: Clock, onLine: (line: string) => void) {
    this.#clock = clock;
    this.#onLine = onLine;
    this.#bucket = new TokenBucket(BURST, PER_SECOND, () => clock.now());
  }

  push(line: string): void {
    const cost = 1 + Math.floor(line.length / CHARACTERS_PER_TOKEN);
    const needed = this.#leftOut === 0 ? cost : Math.max(cost, PER_SECOND / 2);
    if (this.#bucket.tokens < needed) {
      this.#leftOut += 1;
      this.#cancelNotice ??= this.#clock.after(NOTICE_MS, () => this.flush());
      return;
    }
    this.flush();
    this.#bucket.take(cost);
    this.#onLine(line);
  }

  /** Reports the lines left out so far, if any. */
  flush(): void {
    this.#cancelNotice?.();
    this.#cancelNotice = null;
    if (this.#leftOut > 0) this.#onLine(`[${this.#leftOut} lines left out: more than ${PER_SECOND} a second]`);
    this.#leftOut = 0;
  }
}
