import type { Response } from "express";

/** Bytes that a reader may be behind before it is cut off; its EventSource comes again by itself. */
const MAX_BACKLOG = 1_000_000;

/** Everybody who watches: streams of server-sent events (HTML standard, section 9.2). */
export class Readers {
  readonly #open = new Set<Response>();

  add(response: Response): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("retry: 1000\n\n");
    this.#open.add(response);
    response.on("close", () => this.#open.delete(response));
  }

  /** `make` is asked for the data only when somebody reads. */
  tell(event: string, make: () => unknown): void {
    if (this.#open.size === 0) return;
    const text = `event: ${event}\ndata: ${JSON.stringify(make())}\n\n`;
    for (const response of this.#open) {
      response.write(text);
      if (response.writableLength > MAX_BACKLOG) response.destroy();
    }
  }

  close(): void {
    for (const response of this.#open) response.destroy();
  }
}
