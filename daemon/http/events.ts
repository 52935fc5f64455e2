import type { RequestHandler, Response } from "express";

/** What `GET /api/events` can carry; the names are the SSE event names. */
export type EventName = "slot" | "log" | "job" | "robot" | "startup-app" | "notice";

/** A reader that is this far behind (bytes) is cut off; its EventSource reconnects by itself. */
const MAX_BACKLOG = 1_000_000;
const KEEP_ALIVE_MS = 15_000;

/** Server-sent events to any number of readers; a slow reader never holds anybody up. */
export class EventStream {
  readonly #readers = new Set<Response>();

  /** Sends one event to every reader. */
  send(name: EventName, data: unknown): void {
    if (this.#readers.size === 0) return;
    const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const reader of this.#readers) {
      reader.write(text);
      if (reader.writableLength > MAX_BACKLOG) this.#drop(reader);
    }
  }

  /** The route. */
  readonly open: RequestHandler = (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("retry: 1000\n\n");
    this.#readers.add(response);
    const keepAlive = setInterval(() => response.write(": alive\n\n"), KEEP_ALIVE_MS);
    request.on("close", () => {
      clearInterval(keepAlive);
      this.#readers.delete(response);
    });
  };

  /** Ends every reader's stream, so that the server can close. */
  close(): void {
    for (const reader of this.#readers) this.#drop(reader);
  }

  #drop(reader: Response): void {
    this.#readers.delete(reader);
    reader.destroy();
  }
}
