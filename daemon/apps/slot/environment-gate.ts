import { type Clock, sleep } from "../../../common/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** How long a start waits for a change of the environment. */
const WAIT_MS = 60_000;

/** Lets starts of apps wait while the packages that all apps share change: an app that imports meanwhile would fail. */
export class EnvironmentGate {
  readonly #clock: Clock;
  #change: { what: string; done: Promise<unknown> } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a change of the environment. @param what names it, for people: `the installation of wave_back` */
  async during<T>(what: string, change: () => Promise<T>): Promise<T> {
    const work = change();
    const clear = (): void => {
      if (this.#change === current) this.#change = null;
    };
    const current = { what, done: work.then(clear, clear) };
    this.#change = current;
    return work;
  }

  /**
   * Settles when no change is under way, or when the signal aborts.
   * @param onWait gets the name of a change that has to end first
   * @throws WorkbenchError `app-busy` when it does not end within a minute
   */
  async whenUnchanged(signal: AbortSignal, onWait: (what: string) => void): Promise<void> {
    const waiting = new AbortController();
    const deadline = sleep(this.#clock, WAIT_MS, AbortSignal.any([signal, waiting.signal]));
    let expired = false;
    void deadline.then(() => {
      expired = true;
    });
    try {
      while (this.#change !== null && !signal.aborted && !expired) {
        onWait(this.#change.what);
        await Promise.race([this.#change.done, deadline]);
      }
      if (this.#change === null || signal.aborted) return;
      const next = "Start the app again when that job is over.";
      throw new WorkbenchError("app-busy", `${this.#change.what} still changes the apps' environment. ${next}`);
    } finally {
      waiting.abort();
    }
  }
}
