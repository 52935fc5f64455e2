import { type AddressInfo, createConnection, createServer, type Server } from "node:net";

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

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = await takePort(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
