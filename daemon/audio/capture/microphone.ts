import { SharedBudget } from "../../../common/bounded.ts";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import { FrameTimer } from "../playback/frame-timer.ts";
import { SampleQueue } from "../playback/sample-queue.ts";
import { applyVolume } from "../playback/speaker.ts";

/** Where the microphone's samples come from: a device, or a stand-in for one. */
export interface AudioSource {
  /** Calls `onSamples` in real time until the result is called. */
  start(onSamples: (samples: Int16Array) => void): Unsubscribe;
}

/** Samples that a client supplies in place of a microphone device. */
export interface MicrophoneFeed {
  push(samples: Int16Array): void;
  close(): void;
}

/** Shares one audio source among any number of listeners; the source is stopped while it has no listener. */
export class Microphone {
  readonly #source: AudioSource;
  readonly #onListenersChange: () => void;
  readonly #samples = new Emitter<Int16Array>();
  #stopSource: Unsubscribe | null = null;
  /** 0 to 100; 100 leaves the samples as they are. */
  volume: number;

  /** @param onListenersChange called when the number of listeners has changed */
  constructor(source: AudioSource, onListenersChange: () => void, volume = 100) {
    this.#source = source;
    this.#onListenersChange = onListenersChange;
    this.volume = volume;
  }

  get listeners(): number {
    return this.#samples.size;
  }

  /** Calls `listener` with about 20 ms of samples at a time. */
  listen(listener: (samples: Int16Array) => void): Unsubscribe {
    const unsubscribe = this.#samples.on(listener);
    this.#update();
    return () => {
      const before = this.#samples.size;
      unsubscribe();
      if (this.#samples.size < before) this.#update();
    };
  }

  #update(): void {
    if (this.#samples.size === 0) {
      this.#stopSource?.();
      this.#stopSource = null;
    } else this.#stopSource ??= this.#source.start((samples) => this.#samples.emit(applyVolume(samples, this.volume)));
    this.#onListenersChange();
  }
}

/** Half a second: how far a feed may be ahead of real time before its samples are dropped. */
const FEED_CAPACITY = SAMPLE_RATE / 2;
/** What all feeds together may hold. */
const ALL_FEEDS = { pieces: 1024, bytes: 8_000_000 };

/**
 * The microphone of a simulated robot: the sum of the clients' feeds; without a feed a recording in a loop, or silence.
 */
export class VirtualMicrophone implements AudioSource {
  readonly #clock: Clock;
  readonly #recording: Int16Array;
  readonly #feeds = new Set<SampleQueue>();
  readonly #queued = new SharedBudget(ALL_FEEDS);

  /** @param recording an empty one is silence */
  constructor(clock: Clock, recording: Int16Array) {
    this.#clock = clock;
    this.#recording = recording;
  }

  openFeed(): MicrophoneFeed {
    const queue = new SampleQueue(FEED_CAPACITY, this.#queued);
    this.#feeds.add(queue);
    return {
      push: (samples) => void queue.push(samples),
      close: () => {
        this.#feeds.delete(queue);
        queue.clear();
      },
    };
  }

  start(onSamples: (samples: Int16Array) => void): () => void {
    // Samples from before the first listener are not played late.
    for (const queue of this.#feeds) queue.clear();
    let position = 0;
    const timer = new FrameTimer(this.#clock, () => {
      onSamples(this.#feeds.size > 0 ? this.#mixFeeds() : this.#readRecording(position));
      position += FRAME_SAMPLES;
    });
    timer.start();
    return () => timer.stop();
  }

  #mixFeeds(): Int16Array {
    const sums = new Int32Array(FRAME_SAMPLES);
    for (const queue of this.#feeds) queue.mixInto(sums);
    return applyVolume(sums, 100);
  }

  #readRecording(position: number): Int16Array {
    const recording = this.#recording;
    return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => recording[(position + i) % recording.length] ?? 0);
  }
}
