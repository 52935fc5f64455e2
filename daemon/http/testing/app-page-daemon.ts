import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { systemClock } from "../../../common/time/clock.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { RateLimit } from "../access/rate-limit.ts";
import { AppPages, PAGE_PATH } from "../app-pages/app-pages.ts";
import { connectionLimitsFor } from "../connections/connection-limits.ts";
import { problemHandler } from "../rest/problems.ts";

const DEADLINE_MS = 20_000;

/** What `closeAll` closes. */
export const closers: (() => void)[] = [];

export function closeAll(): void {
  for (const close of closers.splice(0)) close();
}

/** Opens a port of this machine. */
export async function open(handle: RequestListener, port = 0): Promise<Server & { port: number }> {
  const server = createServer(handle);
  closers.push(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

/** A daemon with an app in its slot. @param port of the app's page; null for an app without one */
export async function startDaemonWithPage(
  port: number | null,
  token: string | null = null,
  timeoutMs = DEADLINE_MS,
  limits = connectionLimitsFor(4096).pages,
) {
  const extra = { custom_app_url: port === null ? null : `http://localhost:${port}` };
  const info = { name: "my_app", source_kind: "installed", description: "", url: null, extra } as const;
  const slot = { status: { info, state: "running", error: null, since: 0 } as AppStatus };
  const app = express();
  const daemon = await open(app);
  const log = pino({ level: "silent" });
  const pages = new AppPages({
    status: () => slot.status,
    access: { loopback: true, names: [], token },
    host: "127.0.0.1",
    port: () => daemon.port,
    rateLimit: new RateLimit(() => 0),
    limits,
    log,
    clock: systemClock,
    timeoutMs,
  });
  closers.push(() => pages.close());
  app.get(PAGE_PATH, pages.redirect);
  app.use(problemHandler(log));
  const url = `http://127.0.0.1:${daemon.port}`;
  const enter = (path: string) => fetch(url + path, { redirect: "manual" });
  /** The address of the app's page, without a slash at the end. */
  const pageUrl = async () => new URL((await enter("/apps/my_app/page/")).headers.get("location") ?? "").origin;
  return { url, slot, enter, pageUrl };
}
