import type { Duplex } from "node:stream";
import type { ByteLink } from "../../../robot/servo/byte-link.ts";

/**
 * A duplex stream (TCP socket or serial port) as a byte link.
 *
 * @param release closes the stream's device; resolves when it is closed
 */
export function streamLink(name: string, stream: Duplex, release: () => Promise<void>): ByteLink {
  const closeListeners = new Set<(reason: Error | undefined) => void>();
  let closing = false;
  let over = false;
  let failure: Error | undefined;
  const finish = (reason?: Error | null): void => {
    if (over) return;
    over = true;
    const lost = reason ?? failure ?? new Error(`${name} went away`);
    for (const listener of closeListeners) listener(closing ? undefined : lost);
  };
  stream.on("error", (error: Error) => {
    failure = error;
  });
  stream.on("close", finish);
  stream.on("end", () => finish());
  return {
    name,
    write: (bytes) => {
      if (!over && stream.writable) stream.write(bytes);
    },
    onData: (listener) => {
      stream.on("data", listener);
      return () => stream.off("data", listener);
    },
    onClose: (listener) => {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close: async () => {
      closing = true;
      await release();
      finish();
    },
  };
}
