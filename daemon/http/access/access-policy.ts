import type { IncomingMessage } from "node:http";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { isIpAddress, isLoopback, parseHost } from "./host-names.ts";
import { carriesToken } from "./token.ts";

/** Which requests the daemon accepts. */
export interface AccessPolicy {
  /** True when the daemon listens on a loopback address only. */
  loopback: boolean;
  /** Host names that a daemon on the network accepts besides IP addresses and localhost, in lower case. */
  names: readonly string[];
  /** Required with every request; null when none is required. */
  token: string | null;
}

/**
 * Refuses requests of other sites' pages and requests without the token. A page of another site reaches the daemon
 * across origins (the headers Origin and Sec-Fetch-Site show it) or by DNS rebinding (the Host header is the site's own
 * name). Programs send neither header and pass.
 * @param isAllowed whether a browser may send a request on behalf of another site: by default a link to a page that only shows
 * something
 * @throws WorkbenchError `malformed-request`, `host-refused`, `origin-refused` or `token-required`
 */
export function checkAccess(
  request: IncomingMessage,
  access: AccessPolicy,
  isAllowed: (request: IncomingMessage) => boolean = isLinkNavigation,
): void {
  checkSingleHost(request);
  checkHost(request.headers.host ?? "", access);
  // An address with a host of its own counts more than the header (RFC 9112, section 3.2.2).
  const inAddress = /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url ?? "")?.[1];
  if (inAddress !== undefined) checkHost(inAddress, access);
  checkOrigin(request, isAllowed);
  if (access.token !== null && !carriesToken(request, access.token))
    throw new WorkbenchError(
      "token-required",
      "Send the token as `Authorization: Bearer TOKEN`, or open the link that `robot-daemon link` shows.",
    );
}

/** A second Host header could be the one that a proxy in between has checked (RFC 9112, section 3.2). */
function checkSingleHost({ rawHeaders }: IncomingMessage): void {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length;
  if (count > 1) throw new WorkbenchError("malformed-request", `The request has ${count} Host headers; send one.`);
}

/** DNS rebinding needs a name that the attacker controls, so configured names and plain addresses are safe. */
function checkHost(host: string, { loopback, names }: AccessPolicy): void {
  const name = parseHost(host);
  if (name !== null && isLoopback(name)) return;
  if (name !== null && !loopback && (isIpAddress(name) || names.includes(name))) return;
  const allowed = loopback ? "localhost" : [...names, "its IP addresses"].join(", ");
  throw new WorkbenchError("host-refused", `The Host header is "${host}"; this daemon accepts ${allowed}.`);
}

function checkOrigin(request: IncomingMessage, isAllowed: (request: IncomingMessage) => boolean): void {
  const { host = "", origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw new WorkbenchError("origin-refused", `A page of ${origin} may not use this daemon; open http://${host}/.`);
  // Requests without an Origin (images, scripts, frames); pages of other ports of this machine are refused, too.
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isAllowed(request))
    throw new WorkbenchError("origin-refused", `A page of another site may not use this daemon; open http://${host}/.`);
}

/** A person who follows a link from another site opens a page of their own, which that site cannot read. */
const isLinkNavigation = ({ method, url = "", headers }: IncomingMessage): boolean =>
  method === "GET" &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  PAGES.test(url);

/** A page in a frame of the dashboard, or that was opened from it: both have the same host, and other ports. */
export const isFramedOrLinked = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  headers["sec-fetch-site"] === "same-site" &&
  headers["sec-fetch-mode"] === "navigate" &&
  ["document", "iframe"].includes(String(headers["sec-fetch-dest"]));

/** Addresses that only show something. A GET of the interface may do something, for example fetch moves of the hub. */
const PAGES = /^\/(?:index\.html|docs|errors\/[^/?]*)?(?:\?|$)/;
