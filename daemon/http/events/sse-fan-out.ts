import type { Clock } from "../../../common/time/clock.ts";
import type { SseStream } from "./sse.ts";

/** Milliseconds from one message to the next: writing to hundreds of streams takes some of them. */
const PAUSE_MS = 20;

/** Sends the same events to many streams. The first is sent at once; what happens soon after it becomes one message. */
export class SseFanOut {
  readonly #clock: Clock;
  readonly #streams = new Set<SseStream>();
  #text = "";
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancel = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
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
    const wait = this.#sentAt + PAUSE_MS - this.#clock.now();
    if (wait <= 0) queueMicrotask(() => this.#flush());
    else this.#cancel = this.#clock.after(wait, () => this.#flush());
  }

  #flush(): void {
    this.#cancel();
    const text = this.#text;
    this.#text = "";
    if (text === "") return;
    this.#sentAt = this.#clock.now();
    for (const { queue } of this.#streams) queue.send(text);
  }
}
