import { isIP, isIPv4 } from "node:net";

/**
 * The name of a Host header in one spelling: lower case, without port, final dot and brackets. Null when it is no host
 * at all (RFC 9110, section 7.2).
 */
export function hostnameOf(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, "") ?? null;
}

/** True for the names and addresses that always mean this machine; `name` as `hostnameOf` gives it. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));

/** True for an IP address: nobody's name service had a say in it. */
export const isAddress = (name: string): boolean => isIP(name) !== 0;
