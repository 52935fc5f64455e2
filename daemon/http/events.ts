import type { Request, Response } from "express";
import { openSse, type SseReader, sseText } from "./sse.ts";

/** What `GET /api/events` can carry; the names are the SSE event names. */
export type EventName = "slot" | "log" | "job" | "robot" | "startup-app" | "notice";

/** Everything that happens, to any number of readers. */
export class EventStream {
  readonly #readers = new Set<SseReader>();

  /** Sends one event to every reader. */
  send(name: EventName, data: unknown): void {
    if (this.#readers.size === 0) return;
    const text = sseText(name, data);
    for (const reader of this.#readers) reader.write(text);
  }

  /** Adds a reader until it goes away. */
  open(request: Request, response: Response): void {
    const reader = openSse(request, response, () => {
      if (reader) this.#readers.delete(reader);
    });
    if (reader) this.#readers.add(reader);
  }

  /** Ends every reader's stream, so that the server can close. */
  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}
