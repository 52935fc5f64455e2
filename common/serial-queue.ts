/** Runs asynchronous work one after the other, in the order in which it was given. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. Work that fails does not keep the next from running. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
