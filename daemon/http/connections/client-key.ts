import { isIPv6, type Socket } from "node:net";
import { isLoopback } from "../access/host-names.ts";

/**
 * Returns the key by which a client's limits are counted: its address, or `loopback` for this machine. An IPv6 client counts
 * by its network of 64 bits, because it can take any address there (RFC 4291, section 2.5.1).
 */
export function clientKey({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  // An IPv4 client of a socket that listens on `::` appears as ::ffff:a.b.c.d.
  const address = remoteAddress.replace(/^::ffff:/, "");
  if (isLoopback(address)) return LOOPBACK;
  return isIPv6(address) ? ipv6Network(address) : address;
}

/** The key of all programs of this machine. */
export const LOOPBACK = "loopback";

function ipv6Network(address: string): string {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const all = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":").filter(Boolean)];
  return `${all.slice(0, 4).join(":")}::/64`;
}
