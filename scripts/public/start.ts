import { z } from "zod";
import { waitFor } from "../../common/time/wait-for.ts";
import { startDaemon } from "../bench/daemon.mjs";
import type { STARTS } from "./expected.ts";

const INSTALL_MS = 900_000;
const CONNECT_MS = 60_000;
/** Milliseconds that an app must run to count as one that runs. */
const RUNS_MS = 6000;
const Job = z.object({ status: z.string(), error: z.unknown().optional() }).loose();
const Installed = z.array(z.object({ name: z.string() }).loose());
const Status = z.object({ state: z.string(), error: z.string().nullish() }).nullable();

/** Installs an app in a daemon of its own, starts and stops it, and says what happened. */
export async function startInDaemon(
  folder: string,
  signal: AbortSignal,
): Promise<{ start: (typeof STARTS)[number]; detail: string }> {
  const daemon = await startDaemon({ args: ["--sim"] });
  const request = (method: string, path: string, body?: unknown) =>
    fetch(`${daemon.url}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
  const state = async () => Status.parse(await (await request("GET", "/api/apps/current-app-status")).json());
  try {
    const accepted = await request("POST", "/api/apps/install", { url: folder });
    if (!accepted.ok) return { start: "not-installed", detail: await accepted.text() };
    const { job_id } = z.object({ job_id: z.string() }).parse(await accepted.json());
    const job = await waitFor(
      INSTALL_MS,
      "the install ends",
      async () => {
        const found = Job.parse(await (await request("GET", `/api/apps/job-status/${job_id}`)).json());
        return /running|pending|queued/.test(found.status) ? null : found;
      },
      signal,
    );
    const [app] = Installed.parse(await (await request("GET", "/api/apps/list")).json());
    if (app === undefined) return { start: "not-installed", detail: JSON.stringify(job.error ?? job) };
    await request("POST", `/api/apps/start-app/${app.name}`);
    const reached = await waitFor(
      CONNECT_MS,
      "the app runs or ends",
      async () => {
        const now = await state();
        return now?.state === "starting" ? null : { now };
      },
      signal,
    );
    const until = Date.now() + RUNS_MS;
    let last = reached.now;
    await waitFor(
      RUNS_MS + CONNECT_MS,
      "time passes",
      async () => {
        last = (await state()) ?? last;
        return last?.state !== "running" || Date.now() > until;
      },
      signal,
    );
    const isRunning = last?.state === "running";
    if (isRunning) await request("POST", "/api/apps/stop-current-app");
    const detail = last?.error ?? last?.state ?? "nothing runs";
    return { start: isRunning ? "runs" : last?.state === "error" ? "fails" : "ends", detail };
  } finally {
    await daemon.stop();
  }
}
