import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express from "express";
import type { Logger } from "pino";
import { ERRORS, problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { EventStream } from "./events.ts";
import { type Access, checkAccess, guard } from "./guard.ts";
import { openApiDocument } from "./openapi.ts";
import { problemHandler, unknownRoute } from "./problems.ts";
import { mount, type Route } from "./route.ts";
import type { SdkSocket } from "./sdk-socket.ts";
import type { StateSocket } from "./state-socket.ts";

export interface HttpOptions {
  /** Address to bind, for example `127.0.0.1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  access: Access;
  routes: readonly Route[];
  events: EventStream;
  sockets: { sdk: SdkSocket; state: StateSocket };
  /** Folder of the built dashboard. */
  dashboard: string;
  version: string;
  log: Logger;
}

export interface HttpServer {
  /** The port really bound. */
  port: number;
  close(): Promise<void>;
}

/**
 * Opens the one port: REST, events, dashboard and the two sockets.
 * Throws `usage` when the port is taken or the address is not this machine's.
 */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const app = express();
  app.disable("x-powered-by").set("etag", false);
  app.use(guard(options.access));
  app.use(express.json({ limit: 1_000_000, strict: false }));
  mount(app, options.routes);
  app.get("/api/events", options.events.open);
  const document = openApiDocument(options.routes, options.version);
  app.get("/openapi.json", (_request, response) => response.json(document));
  app.get("/errors/:code", (request, response) => {
    const facts = ERRORS[request.params.code as keyof typeof ERRORS];
    if (!facts) throw new WorkbenchError("route-not-found", `There is no error code ${request.params.code}.`);
    response.json({ code: request.params.code, ...facts });
  });
  app.use(express.static(options.dashboard));
  app.use(unknownRoute);
  app.use(problemHandler(options.log));

  const server = createServer(app);
  server.on("upgrade", (request, socket, head) => upgrade(request, socket, head, options));
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      options.events.close();
      options.sockets.sdk.close();
      options.sockets.state.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, options: HttpOptions): void {
  const refuse = (status: number, text: string) =>
    socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`);
  try {
    checkAccess(request, options.access);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const target = { "/ws/sdk": options.sockets.sdk.server, "/ws/state": options.sockets.state.server }[pathname];
    if (!target) return void refuse(404, `No socket at ${pathname}; there are /ws/sdk and /ws/state.`);
    target.handleUpgrade(request, socket, head, (client) => target.emit("connection", client, request));
  } catch (error) {
    const { status, detail } = problemOf(error);
    refuse(status, detail);
  }
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `Port ${port} is taken: stop the program that uses it (often another robot-daemon) or choose another with --port.`
          : `Cannot listen on ${host}:${port}: ${error.message}.`;
      reject(new WorkbenchError("usage", why));
    });
    server.listen(port, host, () => resolve());
  });
}
