import type { Clock } from "../../../common/time/clock.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";

const PERIOD_MS = (1000 * FRAME_SAMPLES) / SAMPLE_RATE;
/** After a longer pause of the machine the frames in between are skipped. */
const MAX_CATCH_UP_FRAMES = 10;

/** Calls `onFrame` every 20 ms on average, however late single timers are; the first call comes right after `start`. */
export class FrameTimer {
  readonly #clock: Clock;
  readonly #onFrame: () => void;
  #nextAt = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, onFrame: () => void) {
    this.#clock = clock;
    this.#onFrame = onFrame;
  }

  /** Does nothing when the timer is running. */
  start(): void {
    if (this.#cancelTimer !== null) return;
    this.#nextAt = this.#clock.now();
    this.#schedule(0);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #schedule(milliseconds: number): void {
    this.#cancelTimer = this.#clock.after(milliseconds, () => this.#tick());
  }

  #tick(): void {
    const now = this.#clock.now();
    this.#nextAt = Math.max(this.#nextAt, now - MAX_CATCH_UP_FRAMES * PERIOD_MS);
    while (this.#nextAt <= now && this.#cancelTimer !== null) {
      this.#nextAt += PERIOD_MS;
      this.#onFrame();
    }
    if (this.#cancelTimer !== null) this.#schedule(this.#nextAt - now);
  }
}
