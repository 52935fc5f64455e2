import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { MAX_UNREAD, type Outlet } from "./outlet.ts";

const HOST = "127.0.0.1";

/**
 * A TCP port of this machine that drivers connect to; the latest driver takes over from the one before.
 *
 * @param port 0 takes a free one
 * @throws WorkbenchError `usage` when the port is taken
 */
export async function openTcpOutlet(port: number): Promise<Outlet> {
  const outlet = new TcpOutlet(port);
  await outlet.plug();
  return outlet;
}

class TcpOutlet implements Outlet {
  readonly #listeners = new Set<(chunk: Uint8Array) => void>();
  #port: number;
  #server: Server | undefined;
  #driver: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get address(): string {
    return `tcp://${HOST}:${this.#port}`;
  }

  async plug(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ noDelay: true }, (socket) => this.#connect(socket));
    this.#server = server;
    try {
      await once(server.listen(this.#port, HOST), "listening");
    } catch (cause) {
      this.#server = undefined;
      const why = (cause as Error).message;
      throw new WorkbenchError("usage", `Port ${this.#port} cannot be had (${why}). Try another, or 0 for a free one.`);
    }
    this.#port = (server.address() as AddressInfo).port;
  }

  async unplug(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#driver?.destroy();
    this.#driver = undefined;
    const closed = once(server, "close");
    server.close();
    await closed;
  }

  close(): Promise<void> {
    return this.unplug();
  }

  send(bytes: Uint8Array): void {
    const driver = this.#driver;
    if (driver?.writable && driver.writableLength + bytes.length <= MAX_UNREAD) driver.write(bytes);
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #connect(socket: Socket): void {
    this.#driver?.destroy();
    this.#driver = socket;
    socket.on("data", (chunk) => {
      if (this.#driver === socket) for (const listener of this.#listeners) listener(chunk);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#driver === socket) this.#driver = undefined;
    });
  }
}
