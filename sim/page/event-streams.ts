import type { Response } from "express";

/** Unsent bytes above which a stream is closed; the client's EventSource reconnects by itself. */
const MAX_BACKLOG_BYTES = 1_000_000;

/** Open streams of server-sent events (HTML standard, section 9.2). */
export class EventStreams {
  readonly #open = new Set<Response>();

  add(response: Response): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("retry: 1000\n\n");
    this.#open.add(response);
    response.on("close", () => this.#open.delete(response));
  }

  /** Sends an event to all streams. `make` is called for the data only when a stream is open. */
  emit(event: string, make: () => unknown): void {
    if (this.#open.size === 0) return;
    const text = `event: ${event}\ndata: ${JSON.stringify(make())}\n\n`;
    for (const response of this.#open) {
      response.write(text);
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
    }
  }

  close(): void {
    for (const response of this.#open) response.destroy();
  }
}
