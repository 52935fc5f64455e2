import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { Listeners } from "../control/listeners.ts";

/** Where sound comes from. */
export interface Ear {
  /** Hears from here on until told to stop, at the pace of time. */
  start(hear: (samples: Int16Array) => void): Unsubscribe;
}

/** A microphone that somebody lends the robot. */
export interface LentMicrophone {
  hear(samples: Int16Array): void;
  takeBack(): void;
}

/** One ear for any number of listeners; it is off while there is none. */
export class Microphone {
  readonly #ear: Ear;
  readonly #onChange: () => void;
  readonly #heard = new Listeners<Int16Array>();
  #stop: Unsubscribe | null = null;
  #listeners = 0;

  /** @param onChange told when somebody begins or ends to listen */
  constructor(ear: Ear, onChange: () => void) {
    this.#ear = ear;
    this.#onChange = onChange;
  }

  get listeners(): number {
    return this.#listeners;
  }

  /** Hears about 20 ms a call. */
  listen(listener: (samples: Int16Array) => void): Unsubscribe {
    const forget = this.#heard.add(listener);
    this.#count(1);
    let listening = true;
    return () => {
      if (!listening) return;
      listening = false;
      forget();
      this.#count(-1);
    };
  }

  #count(change: 1 | -1): void {
    this.#listeners += change;
    if (this.#listeners === 0) {
      this.#stop?.();
      this.#stop = null;
    } else this.#stop ??= this.#ear.start((samples) => this.#heard.tell(samples));
    this.#onChange();
  }
}
