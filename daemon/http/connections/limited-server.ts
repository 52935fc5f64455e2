import { createServer, type RequestListener, type Server } from "node:http";
import { ConnectionLimits } from "./connection-limits.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Time limits of a request and the interval in which they are checked, milliseconds. */
const TIME_LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };

/**
 * Creates a server with limits on connections, on the time that a request takes to arrive, and on pipelined requests.
 * @param closing aborts when the server closes
 */
export function createLimitedServer(
  handle: RequestListener,
  closing: AbortSignal,
): { server: Server; connections: ConnectionLimits } {
  const server = createServer(TIME_LIMITS, oneAtATime(handle, closing));
  return { server, connections: new ConnectionLimits(server) };
}
