import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** Who may talk to this daemon. */
export interface Access {
  /** True when the daemon listens on loopback only. */
  loopback: boolean;
  /** Asked of everybody who comes over the network; null on loopback. */
  token: string | null;
}

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

const hostnameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Refuses drive-by requests: a page of another site reaches a daemon on loopback either across origins (its Origin
 * header says so) or by DNS rebinding (the Host header is the site's name). Tools send no Origin and pass.
 * Throws `host-refused`, `origin-refused` or `token-required`.
 */
export function checkAccess(request: IncomingMessage, access: Access): void {
  const host = request.headers.host ?? "";
  if (access.loopback && !LOOPBACK_NAMES.has(hostnameOf(host)))
    throw new WorkbenchError("host-refused", `The Host header is ${host}; this daemon answers to localhost only.`);
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`)
    throw new WorkbenchError("origin-refused", `A page of ${origin} may not use this daemon; open http://${host}/.`);
  if (access.token !== null && !sameSecret(tokenOf(request), access.token))
    throw new WorkbenchError(
      "token-required",
      "Send the token as `Authorization: Bearer TOKEN`; the daemon's terminal shows it with a link to open.",
    );
}

/** From the Authorization header, the cookie that the dashboard keeps, or the link's `?token=`. */
function tokenOf(request: IncomingMessage): string {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const cookie = /(?:^|; )robot_token=([^;]+)/.exec(request.headers.cookie ?? "")?.[1];
  const query = new URL(request.url ?? "/", "http://localhost").searchParams.get("token");
  return bearer ?? cookie ?? query ?? "";
}

function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `checkAccess` for every route. */
export const guard =
  (access: Access): RequestHandler =>
  (request, _response, next) => {
    checkAccess(request, access);
    next();
  };
