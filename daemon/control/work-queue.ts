import { WorkbenchError } from "../../robot/wire/errors.ts";

interface Work<Context> {
  run: (context: Context) => Promise<void>;
  fail: (error: Error) => void;
}

/** What calls have asked for, to be done one after another where the control loop allows it. */
export class WorkQueue<Context> {
  readonly #waiting: Work<Context>[] = [];
  #closedWhy: string | undefined = "The robot is not connected yet.";

  /**
   * Resolves or rejects as `work` does, once it had its turn.
   *
   * @throws WorkbenchError `robot-not-ready` while the queue is closed
   */
  add<T>(work: (context: Context) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closedWhy !== undefined) throw new WorkbenchError("robot-not-ready", this.#closedWhy);
      this.#waiting.push({ run: (context) => work(context).then(resolve, reject), fail: reject });
    });
  }

  /** Does all that waits. */
  async run(context: Context): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) await work.run(context);
  }

  open(): void {
    this.#closedWhy = undefined;
  }

  /** Refuses what waits and what comes. */
  close(why: string): void {
    this.#closedWhy = why;
    for (const { fail } of this.#waiting.splice(0)) fail(new WorkbenchError("robot-not-ready", why));
  }
}
