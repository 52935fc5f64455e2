import type { Request, Response } from "express";

/** A reader that is this far behind (bytes) is cut off; its EventSource reconnects by itself. */
const MAX_BACKLOG = 1_000_000;
const KEEP_ALIVE_MS = 15_000;

/** One event as the bytes of a stream of server-sent events (HTML standard, section 9.2). */
export const sseText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The stream to one reader. A slow reader never holds anybody up. */
export interface SseReader {
  /** `text` as `sseText` makes it. */
  write(text: string): void;
  close(): void;
}

/** Begins a stream; null for a HEAD request, which is answered at once. `onClose` runs when the reader has gone. */
export function openSse(request: Request, response: Response, onClose: () => void): SseReader | null {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (request.method === "HEAD") {
    response.end();
    return null;
  }
  response.write("retry: 1000\n\n");
  const keepAlive = setInterval(() => response.write(": alive\n\n"), KEEP_ALIVE_MS);
  response.on("close", () => {
    clearInterval(keepAlive);
    onClose();
  });
  return {
    write: (text) => {
      response.write(text);
      if (response.writableLength > MAX_BACKLOG) response.destroy();
    },
    close: () => response.destroy(),
  };
}
