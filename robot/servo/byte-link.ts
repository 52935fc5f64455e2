import type { Unsubscribe } from "../../common/emitter.ts";

/**
 * A duplex byte stream to something that speaks the servo protocol: a serial port, a PTY, a TCP socket or the
 * in-process simulator. The servo bus reaches the robot through this interface only.
 *
 * Chunks arrive in order but with arbitrary boundaries. `write` never blocks and never throws; bytes written after
 * the link is lost are dropped, which the bus notices by its deadlines.
 */
export interface ByteLink {
  /** Name for people, for example `/dev/ttyACM0` or `simulator`. */
  readonly name: string;
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Uint8Array) => void): Unsubscribe;
  /** Called once: with an error when the other end disconnected, with undefined after `close()`. */
  onClose(listener: (reason: Error | undefined) => void): Unsubscribe;
  close(): Promise<void>;
}
