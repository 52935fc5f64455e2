import type { Clock } from "../../../common/time/clock.ts";

/** Milliseconds without a message after which the robot process counts as unresponsive; it sends one every 20 ms. */
export const UNRESPONSIVE_MS = 800;
const CHECK_EVERY_MS = 100;
/** Milliseconds of silence that one check counts at most: a stall of this process is not silence of the other one. */
const MAX_COUNTED_MS = 200;

export interface WatchdogParts {
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
  #lastCheckAt = 0;
  #silentMs = 0;
  #isUnresponsive = false;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
  }

  get isUnresponsive(): boolean {
    return this.#isUnresponsive;
  }

  /** To be called for each message. */
  reset(): void {
    this.#silentMs = 0;
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
    this.#lastCheckAt = this.#parts.clock.now();
    this.#cancelTimer = this.#parts.clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  #check(): void {
    const { clock, expiresAfterMs, onUnresponsive, onExpired } = this.#parts;
    this.#silentMs += Math.min(clock.now() - this.#lastCheckAt, MAX_COUNTED_MS);
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
