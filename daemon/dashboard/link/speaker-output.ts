import { fromPcm, SAMPLE_RATE } from "../../../robot/wire/audio-frames.ts";

/** Seconds between the coming of samples and their sounding: what the way through sockets and timers may vary. */
const LEAD = 0.08;
/** Seconds; a browser that was asleep does not play what it has missed. */
const MAX_LEAD = 0.5;

/** This machine's loudspeaker. Browsers let it sound only when it was made in answer to a click. */
export class SpeakerOutput {
  readonly #context = new AudioContext({ sampleRate: SAMPLE_RATE });
  #end = 0;

  /** Plays samples right after those before. */
  play(samples: Int16Array): void {
    const now = this.#context.currentTime;
    if (samples.length === 0 || this.#end > now + MAX_LEAD) return;
    if (this.#end < now) this.#end = now + LEAD;
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
