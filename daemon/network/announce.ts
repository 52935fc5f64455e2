import { Bonjour, type ServiceConfig } from "bonjour-service";

export interface Announcement {
  /** Withdraws the name, so that network browsers forget it immediately. */
  close(): Promise<void>;
}

/** Options of `multicast-dns`: the network to announce on; the whole local network unless given. */
export interface Network {
  interface: string;
  bind: string;
  port: number;
}

/**
 * Announces the daemon on the local network (mDNS and DNS-SD, RFC 6762 and 6763): `<hostname>.local`, and a web page
 * that network browsers list. Network errors go to `onError`; the daemon works without the name.
 * @param port of the daemon
 */
export function announce(
  hostname: string,
  port: number,
  onError: (error: Error) => void,
  network?: Network,
): Announcement {
  const bonjour = new Bonjour(network as unknown as Partial<ServiceConfig>, onError);
  const [short = "robot"] = hostname.split(".");
  bonjour.publish({ name: `Robot ${short}`, type: "http", port, host: `${short}.local`, probe: false });
  return {
    close: () => new Promise((resolve) => bonjour.unpublishAll(() => bonjour.destroy(() => resolve()))),
  };
}
