import type { Unsubscribe } from "../../robot/servo/byte-link.ts";

/**
 * Where a driver outside of this process plugs into the simulated robot. Drivers may come and go; one at a time has it.
 * What nobody reads is dropped once it fills the line, as a serial adapter drops it.
 */
export interface Outlet {
  /** What a driver opens: the path of a device, or `tcp://host:port`. Stays the same when the cable is pulled. */
  readonly address: string;
  send(bytes: Uint8Array): void;
  onData(listener: (chunk: Uint8Array) => void): Unsubscribe;
  /** Pulls the cable: the driver loses its device, and there is none to open until `plug`. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  /** Unplugs for good. */
  close(): Promise<void>;
}

/** Bytes that wait for a driver to read them, at most: few, as the next driver finds what the one before has left. */
export const MAX_UNREAD = 4096;
