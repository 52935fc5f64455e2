import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type RequestHandler } from "express";
import type { Logger } from "pino";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { AudioSocket } from "./audio-socket.ts";
import type { EventStream } from "./events.ts";
import { type Access, checkAccess } from "./guard/access.ts";
import { setSecurityHeaders } from "./guard/headers.ts";
import { RateLimit } from "./guard/rate-limit.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { signIn } from "./pages/sign-in.ts";
import { problemHandler } from "./problems.ts";
import { mount, type Route } from "./route.ts";
import type { SceneSocket } from "./scene-socket.ts";
import type { SdkSocket } from "./sdk-socket.ts";
import type { StateSocket } from "./state-socket.ts";
import { unknownRoute } from "./unknown-route.ts";

export interface HttpOptions {
  /** Address to bind, for example `127.0.0.1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  access: Access;
  routes: readonly Route[];
  events: EventStream;
  metrics: Metrics;
  /** `scene` with a simulated robot only. */
  sockets: { sdk: SdkSocket; state: StateSocket; audio: AudioSocket; scene: SceneSocket | undefined };
  /** Folder of the built dashboard. */
  dashboard: string;
  log: Logger;
  /** Milliseconds. */
  now: () => number;
}

export interface HttpServer {
  /** The port really bound. */
  port: number;
  close(): Promise<void>;
}

/** A client that dawdles over its request, or opens connections for their own sake, holds nobody else up. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };
const MAX_CONNECTIONS = 256;

/**
 * Opens the one port: REST, events, dashboard and the two sockets.
 * Throws `usage` when the port is taken or the address is not this machine's.
 */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const { access, metrics, sockets } = options;
  const limit = new RateLimit(options.now);
  const app = express();
  app.disable("x-powered-by").set("etag", false);
  app.use(frontDoor(metrics, limit));
  if (access.token !== null) app.get("/", signIn(access.token));
  app.use((request, _response, next) => {
    checkAccess(request, access);
    next();
  });
  mount(app, options.routes);
  app.use(express.static(options.dashboard));
  app.use(unknownRoute(options.routes));
  app.use(problemHandler(options.log));

  const server = createServer(LIMITS, app);
  server.maxConnections = MAX_CONNECTIONS;
  server.on("upgrade", (request, socket, head) => upgrade(request, socket, head, limit, options));
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      options.events.close();
      sockets.sdk.close();
      sockets.state.close();
      sockets.audio.close();
      sockets.scene?.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** What happens to every request before anybody looks at what it wants. */
const frontDoor =
  (metrics: Metrics, limit: RateLimit): RequestHandler =>
  (request, response, next) => {
    setSecurityHeaders(response);
    response.once("finish", () =>
      metrics.countRequest(request.method, response.locals.route ?? "other", response.statusCode),
    );
    limit.check(request);
    next();
  };

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, limit: RateLimit, options: HttpOptions): void {
  // Node takes its own listener away with the upgrade; without one, a reset connection would end the daemon.
  socket.on("error", () => socket.destroy());
  const refuse = (status: number, text: string) =>
    socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`);
  try {
    limit.check(request);
    checkAccess(request, options.access);
    const path = (request.url ?? "/").split("?")[0];
    const { sdk, state, audio, scene } = options.sockets;
    const targets = new Map([
      ["/ws/sdk", sdk.server],
      ["/ws/state", state.server],
      ["/ws/audio", audio.server],
      ...(scene ? [["/ws/scene", scene.server] as const] : []),
    ]);
    const target = targets.get(path ?? "/");
    if (!target) return void refuse(404, `No socket at ${path}; there are ${[...targets.keys()].join(", ")}.`);
    target.handleUpgrade(request, socket, head, (client) => target.emit("connection", client, request));
  } catch (error) {
    const { status, detail } = problemOf(error);
    refuse(status, detail);
  }
}

/** Why a port cannot be opened, by the system's codes. */
const WHY_NOT: Readonly<Record<string, string>> = {
  ENOTFOUND: "nobody knows a machine of this name",
  EAI_AGAIN: "nobody knows a machine of this name",
  EADDRNOTAVAIL: "this is not an address of this machine",
  EACCES: "ports below 1024 are not for everybody; choose one above with --port",
};

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = WHY_NOT[error.code ?? ""] ?? error.message;
      const taken = `Port ${port} is taken: stop the program that uses it (often another robot-daemon) or choose another with --port.`;
      const next = "Use --host 127.0.0.1 for this machine alone, or --host 0.0.0.0 for the network.";
      const detail = error.code === "EADDRINUSE" ? taken : `Cannot listen on ${host}, port ${port}: ${why}. ${next}`;
      reject(new WorkbenchError("usage", detail));
    });
    server.listen(port, host, () => resolve());
  });
}
