/** Runs work side by side or alone, like a read-write lock. Work that runs alone starts when all other work has ended. */
export class Turns {
  readonly #running = new Set<Promise<unknown>>();
  #lastAlone: Promise<unknown> = Promise.resolve();

  /** Runs work beside other work, after all earlier calls of `alone`. Settles as the work does. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    let last: Promise<unknown> | undefined;
    while (last !== this.#lastAlone) {
      last = this.#lastAlone;
      await last;
    }
    return this.#run(work);
  }

  /** Runs work alone. Settles as the work does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastAlone.then(async () => {
      await Promise.allSettled(this.#running);
      return this.#run(work);
    });
    this.#lastAlone = turn.catch(() => {});
    return turn;
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}
