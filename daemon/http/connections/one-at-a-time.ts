import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
