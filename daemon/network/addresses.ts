import type { NetworkInterfaceInfo } from "node:os";

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

const isAny = (host: string): boolean => host === "0.0.0.0" || host === "::";
const url = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Where programs of this machine reach a daemon that listens on `host`. */
export const localUrl = (host: string, port: number): string => url(isAny(host) ? "127.0.0.1" : host, port);

/** Where other machines reach it: the first IPv4 address that is not loopback, unless `host` names one. */
export function networkUrl(host: string, port: number, interfaces: Interfaces): string {
  if (!isAny(host)) return url(host, port);
  const all = Object.values(interfaces).flatMap((found) => found ?? []);
  const outward = all.find(({ family, internal }) => family === "IPv4" && !internal);
  return url(outward?.address ?? "127.0.0.1", port);
}

/** The names that a machine on the network is called by, in lower case: its own, with and without `.local`, and more. */
export function hostNames(hostname: string, more: readonly string[]): string[] {
  const [short = ""] = hostname.split(".");
  return [...new Set([hostname, short, `${short}.local`, ...more].map((name) => name.toLowerCase()))];
}

/** Sets the variables by which apps find their daemon; they inherit the daemon's environment (contract, section 2.5). */
export function setDaemonAddress(env: NodeJS.ProcessEnv, { url, token }: { url: string; token: string | null }): void {
  env.ROBOT_DAEMON_URL = url;
  if (token !== null) env.ROBOT_DAEMON_TOKEN = token;
}
