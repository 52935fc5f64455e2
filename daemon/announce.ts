import { Bonjour, type ServiceConfig } from "bonjour-service";

export interface Announcement {
  /** Says goodbye, so that nobody keeps the name for dead. */
  close(): Promise<void>;
}

/** Where the announcement is spoken, as `multicast-dns` takes it; the whole local network unless given. */
export interface Network {
  interface: string;
  bind: string;
  port: number;
}

/**
 * Announces the daemon on the local network (mDNS and DNS-SD, RFC 6762 and 6763): `<hostname>.local`, and a web page
 * that network browsers list. Trouble with the network goes to `onError`; the daemon does well without the name.
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
