import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";

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

  /** @param onListenersChange called when the number of listeners has changed */
  constructor(source: AudioSource, onListenersChange: () => void) {
    this.#source = source;
    this.#onListenersChange = onListenersChange;
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
    } else this.#stopSource ??= this.#source.start((samples) => this.#samples.emit(samples));
    this.#onListenersChange();
  }
}
