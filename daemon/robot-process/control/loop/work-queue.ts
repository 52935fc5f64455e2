import { WorkbenchError } from "../../../../robot/wire/errors.ts";

interface Work<Context> {
  run: (context: Context) => Promise<void>;
  fail: (error: Error) => void;
}

/** Work that calls have queued, to be run one after another inside the ticks of the control loop. */
export class WorkQueue<Context> {
  readonly #waiting: Work<Context>[] = [];
  readonly #onAdded: () => void;
  #whyClosed: string | undefined = "The robot is not connected yet.";

  /** @param onAdded called when work was queued */
  constructor(onAdded: () => void) {
    this.#onAdded = onAdded;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Queues work. Settles as the work does.
   *
   * @throws WorkbenchError `robot-not-ready` while the queue is closed
   */
  add<T>(work: (context: Context) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.requireOpen();
      this.#waiting.push({ run: (context) => work(context).then(resolve, reject), fail: reject });
      this.#onAdded();
    });
  }

  /** Runs all queued work. */
  async run(context: Context): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) await work.run(context);
  }

  /** @throws WorkbenchError `robot-not-ready` while the queue is closed */
  requireOpen(): void {
    if (this.#whyClosed !== undefined) throw new WorkbenchError("robot-not-ready", this.#whyClosed);
  }

  open(): void {
    this.#whyClosed = undefined;
  }

  /** Rejects queued work, and work that is added while the queue is closed. */
  close(why: string): void {
    this.#whyClosed = why;
    for (const { fail } of this.#waiting.splice(0)) fail(new WorkbenchError("robot-not-ready", why));
  }
}
