import type { AddressInfo } from "node:net";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Clock } from "../../common/time/clock.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { listen } from "../network/listen.ts";
import { type AccessPolicy, checkAccess } from "./access/access-policy.ts";
import { RateLimit } from "./access/rate-limit.ts";
import { setSecurityHeaders } from "./access/security-headers.ts";
import { AppPages, PAGE_PATH } from "./app-pages/app-pages.ts";
import { ConnectionLimits, connectionLimitsFor } from "./connections/connection-limits.ts";
import { createLimitedServer } from "./connections/limited-server.ts";
import { UnreadBytes } from "./connections/unread-bytes.ts";
import type { WebSocketEndpoint } from "./connections/web-socket-endpoint.ts";
import type { EventBroadcaster } from "./events/event-broadcaster.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { signIn } from "./pages/sign-in.ts";
import { problemHandler } from "./rest/problems.ts";
import { addRoutes, type Route, type RouteLimits } from "./rest/route.ts";
import { unknownRoute } from "./rest/unknown-route.ts";
import type { SdkSocket } from "./sockets/sdk/sdk-socket.ts";
import { acceptAt, upgradeListener } from "./upgrade.ts";

export interface HttpOptions {
  /** Address to bind, for example `127.0.0.1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** How many files and connections this process may have open; default: as many as it wants. */
  openFiles?: number | undefined;
  access: AccessPolicy;
  routes: readonly Route[];
  /** The app of the slot, whose page is served. */
  appStatus(): AppStatus | null;
  events: EventBroadcaster;
  metrics: Metrics;
  /** The others by their paths. */
  sockets: { sdk: SdkSocket; others: ReadonlyMap<string, WebSocketEndpoint> };
  /** Folder of the built dashboard. */
  dashboard: string;
  log: Logger;
  clock: Clock;
}

export interface HttpServer {
  /** The bound port. */
  port: number;
  /** Takes no more connections and drops the requests that wait; those that are open are served until `close`. */
  stopAccepting(): void;
  /** Closes all connections; call `stopAccepting` before. */
  close(): Promise<void>;
}

/** Connections that are still open after this time are cut off when the server closes, milliseconds. */
const CLOSE_TIMEOUT_MS = 1500;

/**
 * Opens the port that serves REST, events, dashboard and WebSockets.
 * @throws WorkbenchError `usage` when the port is taken or the address is not this machine's
 */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const { access, clock, events, sockets } = options;
  const app = express();
  const closing = new AbortController();
  const limits = connectionLimitsFor(options.openFiles ?? Number.POSITIVE_INFINITY);
  const connections = new ConnectionLimits(limits.port);
  const server = createLimitedServer(app, closing.signal, connections);
  const unread = new UnreadBytes(() => connections.open(), clock);
  const rateLimit = new RateLimit(() => clock.now());
  const port = () => (server.address() as AddressInfo).port;
  const pages = new AppPages({ ...options, status: options.appStatus, port, rateLimit, limits: limits.pages });
  addHandlers(app, { rateLimit, limits: { connections, unread, clock }, pages }, options);
  const endpoints = new Map([["/ws/sdk", sockets.sdk.endpoint], ...sockets.others]);
  const accept = acceptAt(endpoints);
  server.on("upgrade", upgradeListener({ server, access, rateLimit, connections, accept }));
  await listen(server, options);
  const closed = new Promise<void>((resolve) => void server.once("close", () => resolve()));
  return {
    port: port(),
    stopAccepting: () => {
      closing.abort();
      server.close();
    },
    close: async () => {
      unread.close();
      pages.close();
      events.close();
      for (const endpoint of endpoints.values()) endpoint.close();
      server.closeAllConnections();
      const cancelTimer = clock.after(CLOSE_TIMEOUT_MS, () => connections.destroyAll());
      await closed;
      cancelTimer();
    },
  };
}

interface HandlerParts {
  rateLimit: RateLimit;
  limits: RouteLimits;
  pages: AppPages;
}

function addHandlers(app: Express, { rateLimit, limits, pages }: HandlerParts, options: HttpOptions): void {
  const { access, metrics, routes } = options;
  app.disable("x-powered-by").set("etag", false);
  app.use(prepareRequest(metrics, rateLimit));
  if (access.token !== null) app.get("/", signIn(access.token));
  app.use((request, _response, next) => {
    checkAccess(request, access);
    next();
  });
  app.get(PAGE_PATH, pages.redirect);
  addRoutes(app, routes, limits);
  app.use(express.static(options.dashboard));
  app.use(unknownRoute(routes));
  app.use(problemHandler(options.log));
}

/** Runs before the routes: security headers, metrics and rate limit. */
const prepareRequest =
  (metrics: Metrics, rateLimit: RateLimit): RequestHandler =>
  (request, response, next) => {
    setSecurityHeaders(response, request.headers.host);
    response.once("finish", () =>
      metrics.countRequest(request.method, response.locals.route ?? "other", response.statusCode),
    );
    rateLimit.check(request);
    next();
  };
