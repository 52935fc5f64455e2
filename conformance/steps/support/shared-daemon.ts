import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AfterAll } from "@cucumber/cucumber";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { DaemonHandle } from "../../runner/daemon/daemon-handle.ts";
import { requestDaemon } from "../../runner/daemon/request-daemon.ts";
import { gotoDefaultPose } from "../../runner/observe/default-pose.ts";
import { isAtDefault } from "./joints.ts";

/** A daemon that scenarios without needs of their own use one after another. */
export interface SharedDaemon {
  readonly dataDir: string;
  readonly handle: DaemonHandle;
  /** What `readSettings` returned before the first scenario. */
  readonly settings: string;
}

/** Each worker of cucumber is a process with a shared daemon of its own. */
let idle: SharedDaemon | undefined;

/**
 * Takes the idle shared daemon, or starts one.
 *
 * @param start starts a daemon in a data folder and resolves when its robot is awake
 */
export async function takeSharedDaemon(
  venv: string,
  start: (dataDir: string) => Promise<DaemonHandle>,
): Promise<SharedDaemon> {
  const taken = idle;
  idle = undefined;
  if (taken !== undefined) return taken;
  const dataDir = mkdtempSync(join(tmpdir(), "robot-feature-shared-"));
  symlinkSync(venv, join(dataDir, "apps_venv"));
  const handle = await start(dataDir);
  return { dataDir, handle, settings: await readSettings(handle) };
}

/** Keeps the daemon for the next scenario if the last one passed and the daemon is as it was; otherwise closes it. */
export async function returnSharedDaemon(daemon: SharedDaemon, passed: boolean): Promise<void> {
  if (passed && (await isRestored(daemon).catch(() => false))) idle = daemon;
  else await closeSharedDaemon(daemon);
}

/** Moves an awake robot back to its default pose; false when any setting is not as before the first scenario. */
async function isRestored({ handle, settings }: SharedDaemon): Promise<boolean> {
  if ((await readSettings(handle)) !== settings) return false;
  await call(handle, "POST", "/api/move/goto", gotoDefaultPose(0.5));
  return waitFor(DEADLINE_MS, "the robot is at its default pose", async () => {
    const world = { get: <T>(path: string): Promise<T> => call(handle, "GET", path) };
    return (await readSettings(handle)) === settings && (await isAtDefault(world));
  });
}

/** What a scenario could leave behind: phase, error, motor mode, moves, slot, volume and startup app, as JSON. */
async function readSettings(handle: DaemonHandle): Promise<string> {
  const get = <T>(path: string): Promise<T> => call<T>(handle, "GET", path);
  const { state, error } = await get<{ state: string; error: string | null }>("/api/daemon/status");
  const slot = await get<{ state: string } | null>("/api/apps/current-app-status");
  return JSON.stringify({
    state,
    error,
    isFree: slot === null || slot.state === "done" || slot.state === "error",
    motors: await get("/api/motors/status"),
    moves: await get("/api/move/running"),
    volume: await get("/api/volume/current"),
    startupApp: await get("/api/apps/startup-app"),
  });
}

async function call<T>(daemon: DaemonHandle, method: string, path: string, body?: unknown): Promise<T> {
  const response = await requestDaemon(daemon, { method, path, body, seconds: DEADLINE_MS / 1000 });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return (await response.json()) as T;
}

async function closeSharedDaemon({ handle, dataDir }: SharedDaemon): Promise<void> {
  await handle.close();
  rmSync(dataDir, { recursive: true, force: true });
}

AfterAll(async () => {
  if (idle !== undefined) await closeSharedDaemon(idle);
  idle = undefined;
});
