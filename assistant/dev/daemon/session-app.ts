import { z } from "zod";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import type { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import { Job } from "../../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Lines of an install's log that are shown when it fails. */
const SHOWN_LINES = 5;

/**
 * Installs the app of a folder so that it runs from there. Cancels the daemon's job when the signal aborts.
 * @throws WorkbenchError `install-failed` with the last lines; the signal's reason
 */
export async function installEditable(client: DaemonClient, folder: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const answer = await startInstall(client, folder, signal);
  const lines: string[] = [];
  const { status, error } = await client.followJob(answer, { signal, onJob: ({ logs }) => void lines.push(...logs) });
  if (status !== "done")
    throw new WorkbenchError("install-failed", [error ?? status, ...lines.slice(-SHOWN_LINES)].join("\n"));
}

/** Waits for another job of the app once: the dashboard installs the app that it opens for editing, too. */
async function startInstall(client: DaemonClient, folder: string, signal: AbortSignal): Promise<unknown> {
  // Not cancelled by the signal: without the answer nobody knows which job to cancel.
  const install = () => client.request("POST", "/api/apps/install", { path: folder, editable: true });
  return install().catch(async (error: unknown) => {
    if (!(error instanceof WorkbenchError && error.code === "app-busy")) throw error;
    const jobs = z.array(Job).parse(await client.request("GET", "/api/apps/jobs"));
    // Not by the signal of `followJob`, which would cancel the job of somebody else.
    for (const job of jobs) await rejectOnAbort(client.followJob(job), signal);
    return install();
  });
}

/** Stops the app and starts it again while the robot stays where it is; starts it when it does not run. */
export async function restartApp(client: DaemonClient, app: string): Promise<void> {
  const current = await client.currentApp();
  const isOwn = current?.info.name === app && current.state !== "done" && current.state !== "error";
  if (isOwn && (await restartInPlace(client))) return;
  await client.startApp(app);
}

/** @returns false where the app has ended since its state was read */
async function restartInPlace(client: DaemonClient): Promise<boolean> {
  try {
    await client.request("POST", "/api/apps/restart-current-app?in_place=true");
    return true;
  } catch (error) {
    if (hasNoApp(error)) return false;
    throw error;
  }
}

/** Stops the app that runs; nothing when none does. */
export async function stopCurrentApp(client: Pick<DaemonClient, "request">): Promise<void> {
  await client.request("POST", "/api/apps/stop-current-app").catch((error) => {
    if (!hasNoApp(error)) throw error;
  });
}

/** Stops the app of this name; nothing when another one or none runs. */
export async function stopApp(client: DaemonClient, app: string): Promise<void> {
  if ((await client.currentApp())?.info.name === app) await stopCurrentApp(client);
}

const hasNoApp = (error: unknown): boolean => error instanceof WorkbenchError && error.code === "no-app-running";
