import type { Clock } from "../../../common/time/clock.ts";

/** Milliseconds without a message after which the robot process counts as unresponsive; it sends five per second or more. */
export const UNRESPONSIVE_MS = 800;
/** Milliseconds from one check to the next, and while there was a message since the last one. */
const CHECK_EVERY_MS = 100;
const RELAXED_CHECK_EVERY_MS = 400;
/** Milliseconds by which a check is late at most; more is a stall of this process and not silence of the other one. */
const MAX_LATE_MS = 100;

interface WatchdogParts {
  clock: Clock;
  /** Milliseconds without a message after which `onExpired` is called. */
  expiresAfterMs: number;
  /** Called when there was no message for 0.8 s. */
  onUnresponsive(): void;
  /** Called with the first message after that. */
  onResponsive(): unknown;
  onExpired(): void;
}

/** Watches that the messages of the robot process keep coming. Starts with the first one, ends with `stop`. */
export class Watchdog {
  readonly #parts: WatchdogParts;
  #cancelTimer: (() => void) | undefined;
  /** When the silence was last counted, or began. */
  #countedAt = 0;
  /** Milliseconds until the check under way. */
  #interval = CHECK_EVERY_MS;
  #silentMs = 0;
  #isUnresponsive = false;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
  }

  /** To be called for each message. */
  reset(): void {
    this.#silentMs = 0;
    this.#countedAt = this.#parts.clock.now();
    if (this.#cancelTimer === undefined) this.#schedule();
    if (!this.#isUnresponsive) return;
    this.#isUnresponsive = false;
    this.#parts.onResponsive();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = () => undefined;
  }

  #schedule(): void {
    this.#countedAt = this.#parts.clock.now();
    this.#interval = this.#silentMs === 0 ? RELAXED_CHECK_EVERY_MS : CHECK_EVERY_MS;
    this.#cancelTimer = this.#parts.clock.after(this.#interval, () => this.#check());
  }

  #check(): void {
    const { clock, expiresAfterMs, onUnresponsive, onExpired } = this.#parts;
    this.#silentMs += Math.min(clock.now() - this.#countedAt, this.#interval + MAX_LATE_MS);
    this.#schedule();
    if (!this.#isUnresponsive && this.#silentMs >= UNRESPONSIVE_MS) {
      this.#isUnresponsive = true;
      onUnresponsive();
    }
    if (this.#silentMs < expiresAfterMs) return;
    this.stop();
    onExpired();
  }
}
