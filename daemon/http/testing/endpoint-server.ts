import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { type EndpointOptions, type WebSocketClient, WebSocketEndpoint } from "../connections/web-socket-endpoint.ts";

export interface EndpointServer {
  endpoint: WebSocketEndpoint;
  /** Opens a connection; resolves with both of its ends. */
  connect(): Promise<{ socket: WebSocket; client: WebSocketClient }>;
  close(): void;
}

/** Serves one WebSocket endpoint on a free loopback port. */
export async function serveEndpoint(options: Omit<EndpointOptions, "onConnect">): Promise<EndpointServer> {
  const accepted: ((client: WebSocketClient) => void)[] = [];
  const endpoint = new WebSocketEndpoint({ ...options, onConnect: (client) => accepted.shift()?.(client) });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => endpoint.accept(request, socket, head));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint,
    async connect() {
      const client = new Promise<WebSocketClient>((resolve) => void accepted.push(resolve));
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      await new Promise((resolve, reject) => void socket.once("open", resolve).once("error", reject));
      return { socket, client: await client };
    },
    close() {
      endpoint.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
