import type { ServerResponse } from "node:http";
import { serveHttp } from "../../../common/testing/http-server.ts";
import type { AppState } from "../../../robot/wire/apps/app-status.ts";
import type { JobStatus } from "../../../robot/wire/apps/jobs.ts";

/** A daemon with a simulated robot, for tests: it records requests and runs nothing. */
export interface FakeDaemon {
  url: string;
  /** The requests that change something, as `POST /api/apps/start-app/my_app`, in order. */
  posted: string[];
  /** How often a workshop was opened and closed. */
  workshops: { opened: number; closed: number };
  /** The app in the slot. */
  slot: { name: string; state: AppState } | null;
  /** The status of every job. */
  job: JobStatus;
  /** How often a client asked for a job's status. */
  jobRequests: number;
  /** The open streams of events. */
  streams: Set<ServerResponse>;
  /** Whether streams of events are answered with an error. */
  refusesEvents: boolean;
  /** Whether a start is answered with an error. */
  refusesStart: boolean;
}

export async function startFakeDaemon(options: Partial<Pick<FakeDaemon, "slot" | "job">> = {}): Promise<FakeDaemon> {
  const daemon: FakeDaemon = {
    ...{ url: "", posted: [], slot: null, job: "done", jobRequests: 0, streams: new Set() },
    workshops: { opened: 0, closed: 0 },
    ...{ refusesEvents: false, refusesStart: false },
    ...options,
  };
  daemon.url = await serveHttp((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/api/workshop/open") daemon.workshops.opened += 1;
    else if (pathname === "/api/workshop/close") daemon.workshops.closed += 1;
    else if (request.method === "POST") daemon.posted.push(`POST ${pathname}`);
    if (pathname === "/api/events" && !daemon.refusesEvents) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      daemon.streams.add(response);
      response.on("close", () => daemon.streams.delete(response));
      return;
    }
    const { status, body } = answer(daemon, pathname);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return daemon;
}

function answer(daemon: FakeDaemon, path: string): { status: number; body: unknown } {
  const [, started] = /^\/api\/apps\/start-app\/(\w+)$/.exec(path) ?? [];
  if (started !== undefined && !daemon.refusesStart) {
    if (daemon.slot !== null) return { status: 409, body: { code: "app-already-running", detail: daemon.slot.name } };
    daemon.slot = { name: started, state: "running" };
    return { status: 200, body: statusOf(daemon.slot) };
  }
  if (path === "/api/daemon/status")
    return { status: 200, body: { state: "running", version: "1.2.3", error: null, simulation_enabled: true } };
  if (path.startsWith("/api/workshop/")) return { status: 200, body: { app: "my_app" } };
  if (path === "/api/apps/install") return { status: 200, body: { job_id: "1" } };
  if (path === "/api/apps/job-status/1") {
    daemon.jobRequests += 1;
    return { status: 200, body: jobOf(daemon.job) };
  }
  if (path === "/api/apps/job-cancel/1") {
    daemon.job = "cancelled";
    return { status: 200, body: jobOf(daemon.job) };
  }
  if (path === "/api/apps/current-app-status") return { status: 200, body: daemon.slot && statusOf(daemon.slot) };
  if (path === "/api/apps/stop-current-app") {
    daemon.slot = null;
    return { status: 200, body: null };
  }
  if (path === "/api/apps/restart-current-app") {
    // The app ended between the reading of its state and this request.
    daemon.slot = null;
    return { status: 409, body: { code: "no-app-running", detail: "No app is running" } };
  }
  return { status: 503, body: { code: "shutting-down", detail: path } };
}

const statusOf = ({ name, state }: NonNullable<FakeDaemon["slot"]>) => ({
  info: { name, source_kind: "local", description: "", url: null, extra: {} },
  ...{ state, error: null, since: 0 },
});

const jobOf = (status: JobStatus) => ({
  ...{ job_id: "1", command: "install", status, stage: "install", percent: 50, logs: [], log_lines: 0 },
  ...{ error: null, code: null, result: null },
});
