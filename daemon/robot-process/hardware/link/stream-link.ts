import type { Duplex } from "node:stream";
import { Emitter } from "../../../../common/emitter.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";

/**
 * A duplex stream (TCP socket or serial port) as a byte link.
 *
 * @param release closes the stream's device; resolves when it is closed
 */
export function streamLink(name: string, stream: Duplex, release: () => Promise<void>): ByteLink {
  const closed = new Emitter<Error | undefined>();
  let closing = false;
  let over = false;
  let failure: Error | undefined;
  const finish = (reason?: Error): void => {
    if (over) return;
    over = true;
    const lost = reason ?? failure ?? new Error(`${name} was closed`);
    closed.emit(closing ? undefined : lost);
  };
  stream.on("error", (error: Error) => {
    failure = error;
  });
  // A socket passes a boolean, a serial port an error or null.
  stream.on("close", (reason: unknown) => finish(reason instanceof Error ? reason : undefined));
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
    onClose: (listener) => closed.on(listener),
    close: async () => {
      closing = true;
      try {
        await release();
      } finally {
        finish();
      }
    },
  };
}
