import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Clock } from "../../../common/time/clock.ts";
import { normaliseName, sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { formatForMessage } from "../../../robot/wire/validation/format-for-message.ts";
import { listen } from "../../network/listen.ts";
import { type AccessPolicy, checkAccess, isFramedOrLinked } from "../access/access-policy.ts";
import type { RateLimit } from "../access/rate-limit.ts";
import { setSecurityHeaders } from "../access/security-headers.ts";
import { ConnectionLimits, type ConnectionLimitValues } from "../connections/connection-limits.ts";
import { createLimitedServer } from "../connections/limited-server.ts";
import { problemHandler } from "../rest/problems.ts";
import { upgradeListener } from "../upgrade.ts";
import { forward, forwardUpgrade, type Upstream } from "./forward.ts";

interface AppPagesOptions {
  /** The app of the slot. */
  status(): AppStatus | null;
  access: AccessPolicy;
  /** The address that the daemon binds. */
  host: string;
  /** The daemon's port. */
  port(): number;
  rateLimit: RateLimit;
  /** Of the ports of all pages together. */
  limits: ConnectionLimitValues;
  log: Logger;
  clock: Clock;
  /** Milliseconds without a byte after which an app has no answer, and a client does not read it. Default 30 s. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

interface PageServer {
  port: number;
  close(): void;
}

/** `/apps/NAME/page/...`, which leads to the page. */
export const PAGE_PATH = /^\/apps\/([^/]+)\/page(\/.*)?$/;

/**
 * Serves the settings page of the app that runs by the daemon's access policy. Each app has a port of its own, which makes its
 * page another origin than the dashboard and than the pages of other apps: the browser keeps it from the daemon's interface,
 * and a page that is still open never reaches another app.
 */
export class AppPages {
  readonly #options: AppPagesOptions;
  readonly #connections: ConnectionLimits;
  readonly #servers = new Map<string, Promise<PageServer>>();
  /** They stay open, since a port that is free could become that of another app's page. */
  readonly #ports = new Set<number>();

  constructor(options: AppPagesOptions) {
    this.#options = options;
    this.#connections = new ConnectionLimits(options.limits, { cutsWaiting: true });
  }

  /** Redirects `/apps/NAME/page/PATH` to PATH on the page's port. */
  readonly redirect: RequestHandler = async (request, response) => {
    response.setHeader("content-security-policy", "frame-ancestors 'self'").setHeader("x-frame-options", "SAMEORIGIN");
    const [, encoded = "", path = "/"] = PAGE_PATH.exec(request.path) ?? [];
    const name = decodeURIComponent(encoded);
    this.#portOf(name);
    const key = normaliseName(name);
    const opened = this.#servers.get(key) ?? this.#open(name);
    this.#servers.set(key, opened);
    const { port } = await opened.catch((error) => {
      this.#servers.delete(key);
      throw error;
    });
    const { hostname } = new URL(`http://${request.headers.host}`);
    const query = request.originalUrl.split("?").slice(1);
    response.setHeader("cache-control", "no-store");
    response.redirect(307, [`http://${hostname}:${port}${path}`, ...query].join("?"));
  };

  /** Closes the pages' ports and all of their connections. */
  close(): void {
    for (const server of this.#servers.values())
      server.then(
        ({ close }) => close(),
        () => {},
      );
  }

  /** @throws WorkbenchError `page-unreachable` when the app does not run or has no page */
  #portOf(name: string): number {
    const status = this.#options.status();
    const isRunning =
      status !== null && sameName(status.info.name, name) && ["starting", "running"].includes(status.state);
    if (!isRunning) throw unreachable(name, "it does not run. Start it first");
    const url = status.info.extra.custom_app_url;
    if (typeof url !== "string" || !URL.canParse(url)) throw unreachable(name, "it has none (custom_app_url)");
    const port = Number(new URL(url).port || 80);
    // Else the page would be the daemon's own interface, with its token, or ask itself.
    if (port === this.#options.port() || this.#ports.has(port))
      throw unreachable(name, `port ${port} (custom_app_url) is the daemon's own`);
    return port;
  }

  async #open(name: string): Promise<PageServer> {
    const { access, host, rateLimit, log, clock, timeoutMs = TIMEOUT_MS } = this.#options;
    const upstream = (): Upstream => ({ port: this.#portOf(name), token: access.token });
    const closing = new AbortController();
    const app = express().disable("x-powered-by").set("etag", false);
    const connections = this.#connections;
    const server = createLimitedServer(app, closing.signal, connections);
    app.use((request, response, next) => {
      const contentPolicy = this.#framePolicy(request.headers.host);
      setSecurityHeaders(response);
      response.removeHeader("x-frame-options");
      response.setHeader("content-security-policy", contentPolicy).setHeader("cache-control", "no-store");
      rateLimit.check(request);
      checkAccess(request, access, isFramedOrLinked);
      forward(request, response, {
        upstream,
        contentPolicy,
        clock,
        timeoutMs,
        onStream: () => connections.admitStream(request, response),
        onFailure: (error) => next(error instanceof WorkbenchError ? error : unreachable(name, error.message)),
      });
    });
    app.use(problemHandler(log));
    const accept = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      forwardUpgrade({ request, socket, head, upstream, timeoutMs });
    server.on("upgrade", upgradeListener({ server, access, rateLimit, connections, accept }));
    await listen(server, { host, port: 0 });
    const { port } = server.address() as AddressInfo;
    this.#ports.add(port);
    return {
      port,
      close: () => {
        closing.abort();
        server.close();
        connections.destroyAll();
      },
    };
  }

  /** Only the dashboard may show the page in a frame. */
  #framePolicy(host = ""): string {
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
    // A policy cannot name an IPv6 address; then the access policy alone refuses frames of other sites.
    const dashboard = hostname.startsWith("[") ? "http:" : `http://${hostname}:${this.#options.port()}`;
    return `frame-ancestors 'self' ${dashboard}`;
  }
}

const unreachable = (name: string, why: string) =>
  new WorkbenchError("page-unreachable", `The settings page of ${formatForMessage(name)} does not answer: ${why}.`);
