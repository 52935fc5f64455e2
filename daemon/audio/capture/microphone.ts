import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";

/** Where the microphone's samples come from: a device, or a stand-in for one. */
export interface AudioSource {
  /** Calls `onSamples` in real time until the result is called. */
  start(onSamples: (samples: Int16Array) => void): Unsubscribe;
}

const MAX_VOLUME = 100;

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
  /** 0 to 100; 100 leaves the samples as they are. Its effect is quadratic, as that of the speaker's. */
  volume: number;

  /** @param onListenersChange called when the number of listeners has changed */
  constructor(source: AudioSource, onListenersChange: () => void, volume = MAX_VOLUME) {
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

  #scaled(samples: Int16Array): Int16Array {
    if (this.volume >= MAX_VOLUME) return samples;
    const gain = (this.volume / MAX_VOLUME) ** 2;
    return samples.map((sample) => Math.round(sample * gain));
  }

  #update(): void {
    if (this.#samples.size === 0) {
      this.#stopSource?.();
      this.#stopSource = null;
    } else this.#stopSource ??= this.#source.start((samples) => this.#samples.emit(this.#scaled(samples)));
    this.#onListenersChange();
  }
}
