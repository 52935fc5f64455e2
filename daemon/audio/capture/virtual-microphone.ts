import type { Clock } from "../../../common/time/clock.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import { FrameTimer } from "../playback/frame-timer.ts";
import { SampleQueue } from "../playback/sample-queue.ts";
import { applyVolume } from "../playback/speaker.ts";
import type { AudioSource, MicrophoneFeed } from "./microphone.ts";

/** Half a second: how far a feed may be ahead of real time before its samples are dropped. */
const FEED_CAPACITY = SAMPLE_RATE / 2;

/**
 * The microphone of a simulated robot: the sum of the clients' feeds; without a feed a recording in a loop, or silence.
 */
export class VirtualMicrophone implements AudioSource {
  readonly #clock: Clock;
  readonly #recording: Int16Array;
  readonly #feeds = new Set<SampleQueue>();

  /** @param recording an empty one is silence */
  constructor(clock: Clock, recording: Int16Array) {
    this.#clock = clock;
    this.#recording = recording;
  }

  openFeed(): MicrophoneFeed {
    const queue = new SampleQueue(FEED_CAPACITY);
    this.#feeds.add(queue);
    return {
      push: (samples) => void queue.push(samples),
      close: () => void this.#feeds.delete(queue),
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
