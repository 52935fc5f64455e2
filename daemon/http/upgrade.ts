import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { problemOf } from "../../robot/wire/errors.ts";
import { formatForMessage } from "../../robot/wire/validation/format-for-message.ts";
import { type AccessPolicy, checkAccess } from "./access/access-policy.ts";
import type { RateLimit } from "./access/rate-limit.ts";
import type { ConnectionLimits } from "./connections/connection-limits.ts";
import { refuseUpgrade } from "./connections/refuse-upgrade.ts";
import type { WebSocketEndpoint } from "./connections/web-socket-endpoint.ts";

interface UpgradeParts {
  /** Takes requests for an upgrade to other protocols, such as HTTP/2, as plain ones (RFC 9110, section 7.8). */
  server: Server;
  access: AccessPolicy;
  rateLimit: RateLimit;
  connections: ConnectionLimits;
  /** Takes a WebSocket, or refuses it. @throws WorkbenchError */
  accept: UpgradeHandler;
}

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Returns a listener for upgrade requests: the same checks as for other requests, then the WebSocket. */
export const upgradeListener =
  ({ server, access, rateLimit, connections, accept }: UpgradeParts): UpgradeHandler =>
  (request, socket, head) => {
    // An answer of another request is still to be sent, and would get mixed up with the new protocol.
    if (connections.isAnswering(socket)) return void socket.destroy();
    if (request.headers.upgrade?.toLowerCase() !== "websocket") {
      socket.unshift(Buffer.concat([plainHead(request), head]));
      server.emit("connection", socket);
      return;
    }
    // Node removes its error listener on an upgrade; without one, a reset connection would crash the daemon.
    socket.on("error", () => socket.destroy());
    try {
      rateLimit.check(request);
      checkAccess(request, access);
      connections.admitStream(request, socket);
      accept(request, socket, head);
    } catch (error) {
      const { status, detail } = problemOf(error);
      refuseUpgrade(socket, status, detail);
    }
  };

/** Takes a WebSocket by its path. */
export const acceptAt =
  (endpoints: ReadonlyMap<string, WebSocketEndpoint>): UpgradeHandler =>
  (request, socket, head) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const endpoint = endpoints.get(path) ?? endpoints.get(`${path.slice(0, path.lastIndexOf("/") + 1)}:id`);
    if (endpoint !== undefined) return endpoint.accept(request, socket, head);
    const known = [...endpoints.keys()].join(", ");
    refuseUpgrade(socket, 404, `There is no WebSocket at ${formatForMessage(path)}; there are ${known}.`);
  };

const UPGRADE_HEADERS = ["upgrade", "http2-settings"];

/** The head of a request without its wish for another protocol. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    const isConnection = name.toLowerCase() === "connection";
    const options = value.split(",").filter((option) => !UPGRADE_HEADERS.includes(option.trim().toLowerCase()));
    if (isConnection && options.length > 0) lines.push(`${name}: ${options.join(",")}`);
    if (!isConnection && !UPGRADE_HEADERS.includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
