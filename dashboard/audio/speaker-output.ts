import { fromPcm, SAMPLE_RATE } from "../../robot/wire/audio/audio-frames.ts";

/** Seconds between the arrival of samples and their playback: hides the jitter of sockets and timers. */
const LATENCY = 0.08;
/** Seconds of queued samples beyond which new ones are dropped: a tab that was suspended does not catch up. */
const LARGEST_QUEUE = 0.5;

/** This machine's loudspeaker. Browsers stay silent unless it is created in response to a click. */
export class SpeakerOutput {
  readonly #context = new AudioContext({ sampleRate: SAMPLE_RATE });
  #end = 0;

  /** Plays samples right after the previous ones. */
  play(samples: Int16Array): void {
    const now = this.#context.currentTime;
    if (samples.length === 0 || this.#end > now + LARGEST_QUEUE) return;
    if (this.#end < now) this.#end = now + LATENCY;
    const buffer = this.#context.createBuffer(1, samples.length, SAMPLE_RATE);
    buffer.copyToChannel(fromPcm(samples), 0);
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#context.destination);
    source.start(this.#end);
    this.#end += buffer.duration;
  }

  close(): void {
    void this.#context.close();
  }
}
