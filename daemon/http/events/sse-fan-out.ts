import type { SseStream } from "./sse.ts";

/** Sends the same events to many streams. What happens in one turn of the event loop becomes one message. */
export class SseFanOut {
  readonly #streams = new Set<SseStream>();
  #text = "";

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
      onLeft();
    });
  }

  /** @param text of `formatSseEvent` */
  send(text: string): void {
    if (this.#streams.size === 0) return;
    if (this.#text === "") queueMicrotask(() => this.#flush());
    this.#text += text;
  }

  /** Ends all streams. */
  close(reason: string): void {
    this.#flush();
    for (const { queue } of this.#streams) queue.close(reason);
  }

  #flush(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") for (const { queue } of this.#streams) queue.send(text);
  }
}
