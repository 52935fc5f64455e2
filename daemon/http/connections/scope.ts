import type { Clock } from "../../../common/time/clock.ts";

/** What ends together: subscriptions, timers and other resources of one connection. */
export class Scope {
  readonly #cleanups = new Set<() => void>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Calls `cleanup` once, when the scope closes; immediately when it is closed already.
   * @returns calls `cleanup` earlier
   */
  add(cleanup: () => void): () => void {
    const run = (): void => {
      if (this.#cleanups.delete(run)) cleanup();
    };
    this.#cleanups.add(run);
    if (this.#isClosed) run();
    return run;
  }

  /** Calls `callback` after `ms` milliseconds, unless the scope closes before. */
  after(clock: Clock, ms: number, callback: () => void): void {
    const removeTimer = this.add(
      clock.after(ms, () => {
        removeTimer();
        callback();
      }),
    );
  }

  /** Calls `callback` every `ms` milliseconds while the scope is open. */
  repeat(clock: Clock, ms: number, callback: () => void): void {
    if (this.#isClosed) return;
    this.after(clock, ms, () => {
      callback();
      this.repeat(clock, ms, callback);
    });
  }

  /** Runs all cleanups, the last added first. */
  close(): void {
    this.#isClosed = true;
    for (const run of [...this.#cleanups].reverse()) run();
  }
}

/** What `scopeOf` needs of a stream, a socket or a response. */
interface Closable {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** Returns a scope that closes with the stream; a closed one for a stream that is closed already, which emits no event. */
export function scopeOf(stream: Closable): Scope {
  const scope = new Scope();
  stream.once("close", () => scope.close());
  if (stream.destroyed) scope.close();
  return scope;
}

/** Returns a signal that aborts when the stream closes. */
export function closeSignalOf(stream: Closable): AbortSignal {
  const closed = new AbortController();
  scopeOf(stream).add(() => closed.abort());
  return closed.signal;
}
