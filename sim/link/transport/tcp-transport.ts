import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { MAX_UNREAD_BYTES, type Transport } from "./transport.ts";

const HOST = "127.0.0.1";

/**
 * Opens a TCP port of this machine for drivers; a new driver replaces the connected one.
 *
 * @param port 0 for a free one
 * @throws WorkbenchError `usage` when the port is taken
 */
export async function openTcpTransport(port: number): Promise<Transport> {
  const transport = new TcpTransport(port);
  await transport.plug();
  return transport;
}

class TcpTransport implements Transport {
  readonly bitRate = null;
  readonly #data = new Emitter<Uint8Array>();
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
      throw new WorkbenchError(
        "usage",
        `Port ${this.#port} cannot be opened (${why}). Use another one, or 0 for a free one.`,
      );
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

  send(bytes: Uint8Array): void {
    const driver = this.#driver;
    if (driver?.writable && driver.writableLength + bytes.length <= MAX_UNREAD_BYTES) driver.write(bytes);
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    return this.#data.on(listener);
  }

  #connect(socket: Socket): void {
    this.#driver?.destroy();
    this.#driver = socket;
    socket.on("data", (chunk) => {
      if (this.#driver === socket) this.#data.emit(chunk);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#driver === socket) this.#driver = undefined;
    });
  }
}
