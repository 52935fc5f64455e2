/** Runs work with a lock that many hold at the same time (`shared`) or one alone (`exclusive`): a read-write lock. */
export class SharedExclusiveLock {
  readonly #running = new Set<Promise<unknown>>();
  #lastExclusive: Promise<unknown> = Promise.resolve();

  /** Runs work beside other shared work, after all earlier calls of `exclusive`. Settles as the work does. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    let last: Promise<unknown> | undefined;
    while (last !== this.#lastExclusive) {
      last = this.#lastExclusive;
      await last;
    }
    return this.#run(work);
  }

  /** Runs work alone, when all earlier work has ended. Settles as the work does. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const exclusive = this.#lastExclusive.then(async () => {
      await Promise.allSettled(this.#running);
      return this.#run(work);
    });
    this.#lastExclusive = exclusive.catch(() => {});
    return exclusive;
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
