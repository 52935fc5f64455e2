import { FRAME_SAMPLES, SAMPLE_RATE } from "../../robot/wire/audio-frames.ts";
import type { Clock } from "../clock.ts";
import type { Ear, LentMicrophone } from "./microphone.ts";
import { Pacer } from "./pacer.ts";
import { SampleQueue } from "./sample-queue.ts";
import { mixed } from "./speaker.ts";

/** Half a second: what a lent microphone may be ahead of the clock before it is cut. */
const LENT_ROOM = SAMPLE_RATE / 2;

/**
 * What a simulated robot hears: the microphones that browsers lend it, or else a recording again and again, or else
 * silence.
 */
export class Room implements Ear {
  readonly #clock: Clock;
  readonly #recording: Int16Array;
  readonly #lent = new Set<SampleQueue>();

  /** @param recording an empty one is silence */
  constructor(clock: Clock, recording: Int16Array) {
    this.#clock = clock;
    this.#recording = recording;
  }

  lend(): LentMicrophone {
    const queue = new SampleQueue(LENT_ROOM);
    this.#lent.add(queue);
    return {
      hear: (samples) => void queue.push(samples),
      takeBack: () => void this.#lent.delete(queue),
    };
  }

  start(hear: (samples: Int16Array) => void): () => void {
    // What was said before anybody listened is not heard.
    for (const queue of this.#lent) queue.clear();
    let at = 0;
    const pacer = new Pacer(this.#clock, () => {
      hear(this.#lent.size > 0 ? this.#fromBrowsers() : this.#fromRecording(at));
      at += FRAME_SAMPLES;
    });
    pacer.start();
    return () => pacer.stop();
  }

  #fromBrowsers(): Int16Array {
    const sums = new Int32Array(FRAME_SAMPLES);
    for (const queue of this.#lent) queue.mixInto(sums);
    return mixed(sums, 100);
  }

  #fromRecording(at: number): Int16Array {
    const recording = this.#recording;
    return Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => recording[(at + i) % recording.length] ?? 0);
  }
}
