import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { type EndpointOptions, type WebSocketClient, WebSocketEndpoint } from "../connections/web-socket-endpoint.ts";

export interface EndpointServer {
  endpoint: WebSocketEndpoint;
  /** Opens a connection; resolves with both of its ends. */
  connect(): Promise<{ socket: WebSocket; client: WebSocketClient }>;
}

/** Serves one WebSocket endpoint on a free loopback port until the test ends. */
export async function serveEndpoint(options: Omit<EndpointOptions, "onConnect">): Promise<EndpointServer> {
  const accepted: ((client: WebSocketClient) => void)[] = [];
  const endpoint = new WebSocketEndpoint({ ...options, onConnect: (client) => accepted.shift()?.(client) });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => endpoint.accept(request, socket, head));
  const url = await serveHttp(server);
  onTestFinished(() => endpoint.close());
  return {
    endpoint,
    async connect() {
      const client = new Promise<WebSocketClient>((resolve) => void accepted.push(resolve));
      const socket = new WebSocket(url.replace("http", "ws"));
      await new Promise((resolve, reject) => void socket.once("open", resolve).once("error", reject));
      return { socket, client: await client };
    },
  };
}
