import { type Clock, sleep } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** How long a start waits for a change of the environment, and a change for a start. */
const WAIT_MS = 60_000;

/** What waits: how to cancel it, and how to report what it waits for. */
export interface Waiter {
  signal: AbortSignal;
  /** Gets what has to end first, for people: `the installation of wave_back`, `wave_back`. */
  onWait(what: string): void;
}

interface Change {
  what: string;
  isOver: boolean;
  done: Promise<unknown>;
}

/**
 * A lock between starts of apps and changes of the packages that all apps share: an app that imports while they change would
 * fail. Starts share it, a change has it alone, one after another; of a start and a change that both wait, the change is first.
 */
export class EnvironmentLock {
  readonly #clock: Clock;
  readonly #starts = new Set<{ app: string; done: Promise<void> }>();
  /** The last change that waits or is under way. */
  #change: Change | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs a change of the environment when no app imports any more.
   * @param what names it, for people: `The installation of wave_back`
   * @throws WorkbenchError `app-busy` when an app still imports after a minute; the signal's reason
   */
  async during<T>(what: string, waiter: Waiter, change: () => Promise<T>): Promise<T> {
    const before = this.#change;
    // Starts wait from now on, so that one after another cannot keep the change waiting.
    const work = this.#whenFree(what, waiter, before).then(change);
    const clear = (): void => {
      current.isOver = true;
      if (this.#change === current) this.#change = null;
    };
    const current = { what, isOver: false, done: work.then(clear, clear) };
    this.#change = current;
    return work;
  }

  /** Settles when the change that is under way ends, immediately when there is none, or after a minute. */
  async waitForChange(): Promise<void> {
    const change = this.#change;
    const never = new AbortController().signal;
    if (change !== null) await this.#wait(never, () => (this.#change === change ? change.done : null));
  }

  /**
   * Settles when no change is under way, or when the signal aborts.
   * @param app the app that is about to start
   * @returns to be called when the app has imported its modules: changes wait until then
   * @throws WorkbenchError `app-busy` when the change does not end within a minute
   */
  async start(app: string, { signal, onWait }: Waiter): Promise<() => void> {
    const isOver = await this.#wait(signal, () => {
      if (this.#change === null) return null;
      onWait(this.#change.what);
      return this.#change.done;
    });
    if (!isOver && !signal.aborted && this.#change !== null) {
      const next = "Start the app again when that job is over.";
      throw new WorkbenchError("app-busy", `${this.#change.what} still changes the apps' environment. ${next}`);
    }
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const entry = { app, done };
    this.#starts.add(entry);
    return () => {
      this.#starts.delete(entry);
      finish();
    };
  }

  /** @param before the change before this one */
  async #whenFree(what: string, { signal, onWait }: Waiter, before: Change | null): Promise<void> {
    const isFirst = () => before === null || before.isOver;
    const isOver = await this.#wait(signal, () => {
      if (before !== null && !before.isOver) {
        onWait(before.what);
        return before.done;
      }
      const [first] = this.#starts;
      if (first === undefined) return null;
      onWait(first.app);
      return first.done;
    });
    signal.throwIfAborted();
    if (isOver) return;
    const [first] = this.#starts;
    throw new WorkbenchError(
      "app-busy",
      isFirst()
        ? `${what} waited for a minute while ${first?.app} starts. Stop the app, then try again.`
        : `${what} waited for a minute for ${before?.what}. Try again when that is over.`,
    );
  }

  /**
   * Waits for one thing after another.
   * @param next what to wait for; null when there is nothing left
   * @returns true then; false after a minute, or when the signal aborts
   */
  async #wait(signal: AbortSignal, next: () => Promise<unknown> | null): Promise<boolean> {
    const finished = new AbortController();
    const deadline = sleep(this.#clock, WAIT_MS, AbortSignal.any([signal, finished.signal]));
    let expired = false;
    void deadline.then(() => {
      expired = true;
    });
    try {
      for (let first = next(); first !== null; first = next()) {
        await Promise.race([first, deadline]);
        if (expired || signal.aborted) return false;
      }
      return true;
    } finally {
      finished.abort();
    }
  }
}
