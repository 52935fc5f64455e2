import type { Unsubscribe } from "../../../common/emitter.ts";

/**
 * How a driver in another process connects to the simulated robot. Drivers may connect and disconnect; one at a time is
 * connected. Bytes that the driver does not read are dropped above `MAX_UNREAD_BYTES`, as a serial adapter does.
 */
export interface Transport {
  /** What a driver opens: the path of a device, or `tcp://host:port`. Stays the same after `unplug` and `plug`. */
  readonly address: string;
  /** bit/s that the driver had set for the bytes that are passed to `onData`; null where a connection has no bit rate. */
  readonly bitRate: number | null;
  send(bytes: Uint8Array): void;
  onData(listener: (chunk: Uint8Array) => void): Unsubscribe;
  /** Disconnects the driver; the address cannot be opened until `plug`. */
  unplug(): Promise<void>;
  /** Makes the address available again. */
  plug(): Promise<void>;
}

/** Maximum of bytes that wait for the driver; small, because the next driver receives what the previous one left. */
export const MAX_UNREAD_BYTES = 4096;
