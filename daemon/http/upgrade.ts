import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { problemOf } from "../../robot/wire/errors.ts";
import { type AccessPolicy, checkAccess } from "./access/access-policy.ts";
import type { RateLimit } from "./access/rate-limit.ts";
import type { ConnectionLimits } from "./connections/connection-limits.ts";
import type { WebSocketEndpoint } from "./connections/web-socket-endpoint.ts";

export interface UpgradeParts {
  /** By path. */
  endpoints: ReadonlyMap<string, WebSocketEndpoint>;
  access: AccessPolicy;
  rateLimit: RateLimit;
  connections: ConnectionLimits;
}

/** Returns a listener for upgrade requests: the same checks as for other requests, then the WebSocket of the path. */
export const upgradeListener =
  ({ endpoints, access, rateLimit, connections }: UpgradeParts) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node removes its error listener on an upgrade; without one, a reset connection would crash the daemon.
    socket.on("error", () => socket.destroy());
    try {
      rateLimit.check(request);
      checkAccess(request, access);
      const path = (request.url ?? "/").split("?")[0] ?? "/";
      const endpoint = endpoints.get(path) ?? endpoints.get(path.replace(/[^/]+$/, ":id"));
      if (endpoint === undefined) {
        const known = [...endpoints.keys()].join(", ");
        refuse(socket, 404, `There is no WebSocket at ${path}; there are ${known}.`);
        return;
      }
      connections.admitStream(request, socket);
      endpoint.accept(request, socket, head);
    } catch (error) {
      const { status, detail } = problemOf(error);
      refuse(socket, status, detail);
    }
  };

function refuse(socket: Duplex, status: number, text: string): void {
  const answer = `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`;
  socket.end(answer, () => socket.destroy());
}
