import { SharedBudget } from "../../../common/bounded.ts";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { FRAME_SAMPLES } from "../../../robot/wire/audio/audio-frames.ts";
import { FrameTimer } from "./frame-timer.ts";
import { SampleQueue } from "./sample-queue.ts";

/** Samples that one source plays through the speaker, in order. The speaker adds all queues together. */
export interface PlaybackQueue {
  /** Number of samples that are queued. */
  readonly length: number;
  /** Queues samples and returns true, or queues nothing and returns false when they do not all fit. */
  push(samples: Int16Array): boolean;
  /** Drops the queued samples. */
  clear(): void;
  /** Drops the queued samples and takes no more. */
  close(): void;
}

/** What all queues together may hold: a quarter of an hour of sound. */
const ALL_QUEUES = { pieces: 4096, bytes: 32_000_000 };

/** Plays all playback queues together in real time, frame by frame; stops its timer while all queues are empty. */
export class Speaker {
  /** 0 to 100. */
  volume: number;
  readonly #queues = new Map<SampleQueue, (samples: number) => void>();
  readonly #frames = new Emitter<Int16Array>();
  readonly #timer: FrameTimer;
  readonly #queued = new SharedBudget(ALL_QUEUES);

  constructor(clock: Clock, volume: number) {
    this.volume = volume;
    this.#timer = new FrameTimer(clock, () => this.#playFrame());
  }

  /**
   * @param capacity number of samples that can be queued
   * @param onRemoved gets the number of samples that left the queue, played or dropped
   */
  openQueue(capacity: number, onRemoved: (samples: number) => void = () => {}): PlaybackQueue {
    const queue = new SampleQueue(capacity, this.#queued);
    this.#queues.set(queue, onRemoved);
    const clear = (): void => {
      const dropped = queue.clear();
      if (dropped > 0) onRemoved(dropped);
    };
    return {
      get length() {
        return queue.length;
      },
      push: (samples) => {
        const fits = this.#queues.has(queue) && queue.push(samples);
        if (fits) this.#timer.start();
        return fits;
      },
      clear,
      close: () => {
        this.#queues.delete(queue);
        queue.clear();
      },
    };
  }

  /** Calls `listener` with each frame that is played, at most 20 ms long. */
  listen(listener: (frame: Int16Array) => void): Unsubscribe {
    return this.#frames.on(listener);
  }

  close(): void {
    this.#timer.stop();
  }

  #playFrame(): void {
    const sums = new Int32Array(FRAME_SAMPLES);
    // A queue with less than a frame shortens the frame, so that its next samples follow without a gap.
    let length = 0;
    for (const [queue, onRemoved] of this.#queues) {
      const count = queue.mixInto(sums);
      length = Math.max(length, count);
      if (count > 0) onRemoved(count);
    }
    if (length === 0) this.#timer.stop();
    else this.#frames.emit(applyVolume(sums.subarray(0, length), this.volume));
  }
}

/**
 * Scales samples, or sums of them, and clips them to 16 bits. Perceived loudness grows about as the square root of the
 * amplitude, so the volume counts squared.
 * @param volume 0 to 100
 */
export const applyVolume = (sums: Int16Array | Int32Array, volume: number): Int16Array =>
  Int16Array.from(sums, (sum) => Math.max(-32_768, Math.min(32_767, Math.round(sum * (volume / 100) ** 2))));
