import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AfterAll } from "@cucumber/cucumber";
import { waitFor } from "../../../common/time/wait-for.ts";
import { authorization, type DaemonHandle } from "../../runner/daemon/daemon-handle.ts";
import { DEADLINE_MS } from "./deadline.ts";

/** A daemon that scenarios without needs of their own use one after another. */
export interface SharedDaemon {
  readonly dataDir: string;
  readonly handle: DaemonHandle;
  /** Condition before the first scenario. */
  readonly initial: Condition;
}

/** What a scenario could leave behind. */
interface Condition {
  /** Phase, error, motor mode, moves, slot, volume and startup app, as JSON. */
  settings: string;
  /** Measured angles of the nine joints, radians. */
  joints: readonly number[];
}

/** Radians: the servos hold a pose this well. */
const SAME_ANGLE = 0.03;
const DEFAULT_ANTENNAS = [-0.1745, 0.1745];
const NEUTRAL_HEAD = { x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0 };

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
  return { dataDir, handle, initial: await readCondition(handle) };
}

/** Keeps the daemon for the next scenario if the last one passed and the daemon is as it was; otherwise closes it. */
export async function returnSharedDaemon(daemon: SharedDaemon, passed: boolean): Promise<void> {
  if (passed && (await isRestored(daemon).catch(() => false))) idle = daemon;
  else await closeSharedDaemon(daemon);
}

/** Moves an awake robot back to its default pose; false when anything differs from the initial condition. */
async function isRestored({ handle, initial }: SharedDaemon): Promise<boolean> {
  if ((await readCondition(handle)).settings !== initial.settings) return false;
  const target = { head_pose: NEUTRAL_HEAD, antennas: DEFAULT_ANTENNAS, body_yaw: 0, duration: 0.5 };
  await call(handle, "POST", "/api/move/goto", target);
  return waitFor(DEADLINE_MS, "the robot is at its default pose", async () => {
    const { settings, joints } = await readCondition(handle);
    if (settings !== initial.settings) return undefined;
    return joints.every((angle, index) => Math.abs(angle - (initial.joints[index] ?? 0)) < SAME_ANGLE) || undefined;
  });
}

async function readCondition(handle: DaemonHandle): Promise<Condition> {
  const get = <T>(path: string): Promise<T> => call<T>(handle, "GET", path);
  const { state, error } = await get<{ state: string; error: string | null }>("/api/daemon/status");
  const full = await get<{ head_joints: number[]; antennas_position: number[] }>("/api/state/full");
  const slot = await get<{ state: string } | null>("/api/apps/current-app-status");
  const settings = {
    state,
    error,
    isFree: slot === null || slot.state === "done" || slot.state === "error",
    motors: await get("/api/motors/status"),
    moves: await get("/api/move/running"),
    volume: await get("/api/volume/current"),
    startupApp: await get("/api/apps/startup-app"),
  };
  return { settings: JSON.stringify(settings), joints: [...full.head_joints, ...full.antennas_position] };
}

async function call<T>({ url, token }: DaemonHandle, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { ...authorization(token), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
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
