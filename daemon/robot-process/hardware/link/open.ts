import { once } from "node:events";
import { connect } from "node:net";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { findSerialPort, openSerial } from "./serial.ts";
import { streamLink } from "./stream-link.ts";

const CONNECT_MS = 3000;

/** Address of the link for the option `--serialport`; null finds the robot by its USB id. */
export const linkAddress = (serialport: string | null): string =>
  serialport === null ? "serial" : serialport.includes("://") ? serialport : `serial:${serialport}`;

/**
 * Opens the link that an address names: `serial` (the port is found by its USB id), `serial:/dev/ttyACM0` or
 * `tcp://127.0.0.1:5555`.
 *
 * @param baudRate bit/s of a serial port, the robot's 1 Mbaud when absent
 * @throws WorkbenchError `robot-not-found` when it cannot be opened, `usage` when the address is none of these
 */
export async function openLink(address: string, baudRate?: number): Promise<ByteLink> {
  if (address === "serial") return openSerial(await findSerialPort(), baudRate);
  if (address.startsWith("serial:")) return openSerial(address.slice("serial:".length), baudRate);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "tcp:" && url.port !== "") return openTcp(url.hostname, Number(url.port));
  throw new WorkbenchError(
    "usage",
    `"${address}" is not the address of a robot: use serial, serial:PATH or tcp://HOST:PORT.`,
  );
}

/**
 * Connects to a robot that speaks the servo protocol over TCP, for example `robot-sim --tcp 5555`.
 *
 * @throws WorkbenchError `robot-not-found` when nothing listens there
 */
async function openTcp(host: string, port: number): Promise<ByteLink> {
  const name = `tcp://${host}:${port}`;
  const socket = connect({ host, port, noDelay: true });
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`no connection within ${CONNECT_MS} ms`)));
  const link = streamLink(name, socket, async () => {
    socket.destroy();
  });
  await once(socket, "connect").catch((error: Error) => {
    throw new WorkbenchError("robot-not-found", `No robot at ${name}: ${error.message}. Is robot-sim --tcp running?`);
  });
  socket.setTimeout(0);
  return link;
}
