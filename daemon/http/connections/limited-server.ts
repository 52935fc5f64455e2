import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.ts";

/** Time limits of a request and the interval in which they are checked, milliseconds. */
const TIME_LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };

/**
 * Creates a server with limits on connections, on the time that a request takes to arrive, and on pipelined requests.
 * @param closing aborts when the server closes
 * @param connections limits those of this server
 */
export function createLimitedServer(
  handle: RequestListener,
  closing: AbortSignal,
  connections: ConnectionLimits,
): Server {
  const server = createServer(TIME_LIMITS, oneAtATime(handle, closing));
  connections.watch(server);
  return server;
}

/** Requests of a connection that wait while another one is answered. */
const MAX_WAITING = 8;

/**
 * Wraps a server's listener so that each connection has one request answered at a time, whatever its handler waits for. A
 * client that sends more before the answer (HTTP pipelining) has them wait; with too many waiting its connection is closed
 * (RFC 9112, section 9.3.2, lets clients repeat them). Requests that wait when their connection closes are dropped.
 * @param closing aborts when the server closes: the answers under way are the last ones of their connections
 */
export function oneAtATime(handle: RequestListener, closing: AbortSignal): RequestListener {
  const busy = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once("close", () => {
      const next = busy.get(socket)?.shift();
      if (next !== undefined && closing.aborted) socket.destroy();
      if (next === undefined || socket.destroyed) busy.delete(socket);
      else begin(...next);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    // The parser still hands over what it has read of a closed connection.
    if (socket.destroyed) return;
    const waiting = busy.get(socket);
    if (waiting === undefined) {
      busy.set(socket, []);
      begin(request, response);
    } else if (waiting.length < MAX_WAITING) waiting.push([request, response]);
    else socket.destroy();
  };
}
