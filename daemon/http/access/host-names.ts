import { isIP, isIPv4 } from "node:net";

/**
 * Returns the host name of a Host header (RFC 9110, section 7.2) in lower case, without port, final dot and brackets;
 * null when the header is malformed.
 */
export function parseHost(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, "") ?? null;
}

/** True for names and addresses that always mean this machine. @param name as `parseHost` returns it */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));

/** True for an IP address, which no name server can redirect. */
export const isIpAddress = (name: string): boolean => isIP(name) !== 0;
