import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { FRAME_SAMPLES } from "../../robot/wire/audio-frames.ts";
import type { Clock } from "../clock.ts";
import { Listeners } from "../control/listeners.ts";
import { Pacer } from "./pacer.ts";
import { SampleQueue } from "./sample-queue.ts";

/** One of those who speak through the speaker. Voices sound together; what one of them is given sounds in its order. */
export interface Voice {
  /** Samples that wait to be played. */
  readonly waiting: number;
  /** Plays samples after those that wait already; false, and nothing, when they do not all fit. */
  push(samples: Int16Array): boolean;
  /** Drops what waits. */
  clear(): void;
  /** Drops what waits, for good. */
  close(): void;
}

/** Plays all voices at once at the pace of time, frame by frame to whoever listens; rests when there is nothing. */
export class Speaker {
  /** 0 to 100. */
  volume: number;
  readonly #voices = new Map<SampleQueue, (gone: number) => void>();
  readonly #listeners = new Listeners<Int16Array>();
  readonly #pacer: Pacer;

  constructor(clock: Clock, volume: number) {
    this.volume = volume;
    this.#pacer = new Pacer(clock, () => this.#play());
  }

  /**
   * @param room samples that may wait
   * @param onGone told how many samples have left, played or dropped
   */
  voice(room: number, onGone: (samples: number) => void = () => {}): Voice {
    const queue = new SampleQueue(room);
    this.#voices.set(queue, onGone);
    const clear = (): void => {
      const dropped = queue.clear();
      if (dropped > 0) onGone(dropped);
    };
    return {
      get waiting() {
        return queue.length;
      },
      push: (samples) => {
        const fits = this.#voices.has(queue) && queue.push(samples);
        if (fits) this.#pacer.start();
        return fits;
      },
      clear,
      close: () => {
        this.#voices.delete(queue);
        queue.clear();
      },
    };
  }

  /** Hears what is played, at most 20 ms a call, while something is played. */
  listen(listener: (frame: Int16Array) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  close(): void {
    this.#pacer.stop();
  }

  #play(): void {
    const sums = new Int32Array(FRAME_SAMPLES);
    // A voice that has less than a frame ends it: its next samples then follow without a gap.
    let length = 0;
    for (const [queue, onGone] of this.#voices) {
      const count = queue.mixInto(sums);
      length = Math.max(length, count);
      if (count > 0) onGone(count);
    }
    if (length === 0) this.#pacer.stop();
    else this.#listeners.tell(mixed(sums.subarray(0, length), this.volume));
  }
}

/**
 * Sums of samples at a volume, clipped to 16 bits. Loudness is felt about as the square root of the amplitude, so the
 * volume counts squared.
 * @param volume 0 to 100
 */
export const mixed = (sums: Int32Array, volume: number): Int16Array =>
  Int16Array.from(sums, (sum) => Math.max(-32_768, Math.min(32_767, Math.round(sum * (volume / 100) ** 2))));
