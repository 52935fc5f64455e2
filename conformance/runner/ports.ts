import { type AddressInfo, createServer, type Server } from "node:net";

/** Takes a port of loopback. @throws the system's error when it is taken */
export function takePort(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

export async function portIsFree(port: number): Promise<boolean> {
  try {
    const server = await takePort(port);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
}

/** A port of loopback that nobody uses. */
export async function freePort(): Promise<number> {
  const server = await takePort(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
