import { connect } from "node:net";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { streamLink } from "./stream-link.ts";

const CONNECT_MS = 3000;

/**
 * Connects to a robot that speaks the servo protocol over TCP, for example `robot-sim --tcp 5555`.
 *
 * @throws WorkbenchError `robot-not-found` when nothing listens there
 */
export function openTcp(host: string, port: number): Promise<ByteLink> {
  const name = `tcp://${host}:${port}`;
  const socket = connect({ host, port, noDelay: true });
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`no connection within ${CONNECT_MS} ms`)));
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new WorkbenchError("robot-not-found", `No robot at ${name}: ${error.message}. Is robot-sim --tcp running?`),
      );
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      resolve(
        streamLink(name, socket, async () => {
          socket.destroy();
        }),
      );
    });
  });
}
