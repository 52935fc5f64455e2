import type { Request, Response } from "express";
import type { Clock } from "../../../common/time/clock.ts";
import { OutgoingQueue } from "../connections/outgoing-queue.ts";
import { type Scope, scopeOf } from "../connections/scope.ts";

const KEEP_ALIVE_MS = 15_000;

/** Formats a server-sent event (HTML standard, section 9.2). */
export const formatSseEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A stream of server-sent events to one client. */
export interface SseStream {
  /** Takes texts of `formatSseEvent`. A client that does not read is disconnected; its EventSource reconnects. */
  readonly queue: OutgoingQueue;
  /** Closes with the connection; closed from the start when the client has disconnected already. */
  readonly scope: Scope;
}

/** Starts a stream; returns null for a HEAD request, which it answers immediately. */
export function openSse(request: Request, response: Response, clock: Clock): SseStream | null {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (request.method === "HEAD") {
    response.end();
    return null;
  }
  const scope = scopeOf(response);
  const queue = new OutgoingQueue({
    get bufferedBytes() {
      return response.writableLength;
    },
    send: (message, onTaken) => response.write(message, onTaken),
    close: () => response.destroy(),
  });
  queue.send("retry: 1000\n\n");
  scope.repeat(clock, KEEP_ALIVE_MS, () => queue.sendNewest("keep-alive", ": alive\n\n"));
  return { queue, scope };
}
