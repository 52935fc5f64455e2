import type { Clock } from "../../../common/time/clock.ts";
import type { SseStream } from "./sse.ts";

/** How often a fan-out sends at most: writing to hundreds of streams takes milliseconds. */
interface Pace {
  clock: Clock;
  /** Milliseconds from one message to the next. */
  ms: number;
}

/**
 * Sends the same events to many streams. What happens in one turn of the event loop becomes one message, and with a pace
 * what happens until the next message is due.
 */
export class SseFanOut {
  readonly #pace: Pace | null;
  readonly #streams = new Set<SseStream>();
  #text = "";
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancel = (): void => {};

  constructor(pace: Pace | null = null) {
    this.#pace = pace;
  }

  /** Number of streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** Adds a stream until it closes; it gets what is sent from now on. @param onLeft called when it has closed */
  add(stream: SseStream, onLeft: () => void = () => {}): void {
    this.#flush();
    this.#streams.add(stream);
    stream.scope.add(() => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#flush(); // nothing waits for nobody
      onLeft();
    });
  }

  /** @param text of `formatSseEvent` */
  send(text: string): void {
    if (this.#streams.size === 0) return;
    if (this.#text === "") this.#flushLater();
    this.#text += text;
  }

  /** Ends all streams. */
  close(reason: string): void {
    this.#flush();
    for (const { queue } of this.#streams) queue.close(reason);
  }

  #flushLater(): void {
    const wait = this.#pace === null ? 0 : this.#sentAt + this.#pace.ms - this.#pace.clock.now();
    if (this.#pace === null || wait <= 0) queueMicrotask(() => this.#flush());
    else this.#cancel = this.#pace.clock.after(wait, () => this.#flush());
  }

  #flush(): void {
    this.#cancel();
    const text = this.#text;
    this.#text = "";
    if (text === "") return;
    this.#sentAt = this.#pace?.clock.now() ?? 0;
    for (const { queue } of this.#streams) queue.send(text);
  }
}
