import type { IncomingMessage } from "node:http";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { hostnameOf, isAddress, isLoopback } from "./host-names.ts";
import { isSameSecret, tokenOf } from "./token.ts";

/** Who may talk to this daemon. */
export interface Access {
  /** True when the daemon listens on loopback only. */
  loopback: boolean;
  /** Names besides IP addresses and localhost that a daemon on the network answers to, in lower case. */
  names: readonly string[];
  /** Asked of everybody; null when nobody needs one. */
  token: string | null;
}

/**
 * Refuses drive-by requests and strangers. A page of another site reaches the daemon across origins (Origin and
 * Sec-Fetch-Site say so) or by DNS rebinding (Host is the site's own name); programs send neither and pass.
 * Throws `host-refused`, `origin-refused` or `token-required`.
 */
export function checkAccess(request: IncomingMessage, access: Access): void {
  checkHost(request.headers.host ?? "", access);
  checkOrigin(request);
  if (access.token !== null && !isSameSecret(tokenOf(request), access.token))
    throw new WorkbenchError(
      "token-required",
      "Send the token as `Authorization: Bearer TOKEN`, or open the link that `robot-daemon link` shows.",
    );
}

/** A rebound name is one that the site's owner controls, so only names that are ours and plain addresses pass. */
function checkHost(host: string, { loopback, names }: Access): void {
  const name = hostnameOf(host);
  if (name !== null && isLoopback(name)) return;
  if (name !== null && !loopback && (isAddress(name) || names.includes(name))) return;
  const allowed = loopback ? "localhost" : [...names, "its IP addresses"].join(", ");
  throw new WorkbenchError("host-refused", `The Host header is "${host}"; this daemon answers to ${allowed}.`);
}

function checkOrigin(request: IncomingMessage): void {
  const { host = "", origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw new WorkbenchError("origin-refused", `A page of ${origin} may not use this daemon; open http://${host}/.`);
  // Requests without an Origin (images, scripts, frames): other ports of this machine count as another site too.
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isLinkFollowed(request))
    throw new WorkbenchError("origin-refused", `A page of another site may not use this daemon; open http://${host}/.`);
}

/** A person who follows a link to the daemon comes from another site, too, and gets a page of their own. */
const isLinkFollowed = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
