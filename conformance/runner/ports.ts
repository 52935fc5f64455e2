import { randomInt } from "node:crypto";
import { createConnection, createServer, type Server } from "node:net";
import { HarnessError } from "./host.ts";

/** Listens on a port of 127.0.0.1 and drops every connection. @throws the system's error when the port is taken */
export function takePort(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

/** Whether nothing listens on a port of 127.0.0.1. */
export async function portIsFree(port: number): Promise<boolean> {
  try {
    const server = await takePort(port);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch (error) {
    // Only privileged processes listen on the first 1024 ports of most systems.
    return (error as NodeJS.ErrnoException).code === "EACCES" && !(await acceptsConnections(port));
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const end = (isAccepted: boolean) => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}

/** Ports that systems give to no outgoing connection (Linux gives those from 32768, macOS from 49152). */
const [FIRST_PORT, END_OF_PORTS] = [20_000, 32_768];
const TRIES = 100;

/**
 * A port of 127.0.0.1 that nothing listens on, to be used later: one that no outgoing connection takes meanwhile.
 * @throws HarnessError
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if (await portIsFree(port)) return port;
  }
  throw new HarnessError(`no port from ${FIRST_PORT} to ${END_OF_PORTS - 1} is free`);
}
