import type { IncomingMessage } from "node:http";

/** The header in which the SDK sends its process id. */
const PID_HEADER = "x-robot-client-pid";

/** The route that the daemon takes a path for: without the query, in lower case, without a slash at the end. */
export const routeOf = (path: string): string => (path.split("?")[0] ?? "").toLowerCase().replace(/\/$/, "");

/**
 * Whether the target of a request is a path, with or without a query (origin-form, RFC 9112, section 3.2.1). Servers also take
 * whole addresses, and end a path at "#" or take "\\" for "/": the daemon could run a route that `routeOf` does not name.
 */
export const isOriginForm = (target: string): boolean => target.startsWith("/") && !/[#\\]/.test(target);

/** The headers of an upgrade that are not of the WebSocket handshake itself. */
export function endToEndHeaders({ headers }: IncomingMessage, pid: number | null): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const isHop = ["host", "connection", "upgrade"].includes(name) || name.startsWith("sec-websocket-");
    return isHop || typeof value !== "string" ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(own), ...(pid === null ? {} : { [PID_HEADER]: String(pid) }) };
}

/** The process id that a client sends; null without one. */
export function pidOf(request: IncomingMessage): number | null {
  const pid = Number(request.headers[PID_HEADER]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
