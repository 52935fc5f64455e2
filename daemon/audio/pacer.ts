import { FRAME_SAMPLES, SAMPLE_RATE } from "../../robot/wire/audio-frames.ts";
import type { Clock } from "../clock.ts";

const PERIOD_MS = (1000 * FRAME_SAMPLES) / SAMPLE_RATE;
/** After a longer pause of the machine the frames in between are left out. */
const MAX_CATCH_UP = 10;

/** Calls for a frame every 20 ms by the clock, however late the timers are; at once when it starts. */
export class Pacer {
  readonly #clock: Clock;
  readonly #onFrame: () => void;
  #next = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, onFrame: () => void) {
    this.#clock = clock;
    this.#onFrame = onFrame;
  }

  /** Does nothing while it runs already. */
  start(): void {
    if (this.#cancel !== null) return;
    this.#next = this.#clock.now();
    this.#wait(0);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #wait(milliseconds: number): void {
    this.#cancel = this.#clock.after(milliseconds, () => this.#tick());
  }

  #tick(): void {
    const now = this.#clock.now();
    this.#next = Math.max(this.#next, now - MAX_CATCH_UP * PERIOD_MS);
    while (this.#next <= now && this.#cancel !== null) {
      this.#next += PERIOD_MS;
      this.#onFrame();
    }
    if (this.#cancel !== null) this.#wait(this.#next - now);
  }
}
