import { rm } from "node:fs/promises";
import { pid as ownPid } from "node:process";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { Clock } from "../../../common/clock.ts";
import { identityOf, isAlive } from "../../../common/process-table.ts";
import { readJson } from "../../files/json-file.ts";
import { endRemaining } from "./end-remaining.ts";
import { processesOf } from "./process-tree.ts";

const ProcessIdentity = z.object({ pid: z.int().positive(), started: z.string() });

/** The content of `running-app.json`. */
const RunningApp = z.object({
  app: z.string(),
  /** Process group; null before the process starts. */
  group: z.int().positive().nullable(),
  /** The app's main process; null when it exited before its start time was read. Others of its group may live on. */
  leader: ProcessIdentity.nullable(),
  /** Run id. */
  mark: z.string(),
  daemon: ProcessIdentity,
});
type RunningApp = z.infer<typeof RunningApp>;

/**
 * Writes down which app runs. A daemon that is started after this one was killed reads it.
 * @param group pid of the main process; null before the process starts, when only the run id is known
 */
export async function writeRunningApp(file: string, app: string, group: number | null, runId: string): Promise<void> {
  const [leader, daemon] = [group === null ? null : await identityOf(group), await identityOf(ownPid)];
  if (daemon === null) return;
  const running: RunningApp = { app, group, leader, mark: runId, daemon };
  // Without fsync: a killed daemon leaves the system's file cache intact, and a power loss ends the app as well.
  await writeFileAtomic(file, JSON.stringify(running), { fsync: false });
}

export async function clearRunningApp(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Ends the app that a killed daemon left running. Processes are compared by start time as well, since their pid may
 * belong to another program by now. Does nothing while that daemon lives.
 * @returns the app's name when any of its processes had to be ended
 */
export async function endOrphanedApp(file: string, clock: Clock): Promise<string | null> {
  const running = await readJson(file, RunningApp);
  if (running === null) return null;
  const { app, group, leader, mark: runId, daemon } = running;
  if (daemon.pid !== ownPid && (await isAlive(daemon))) return null;
  // The system gives the number of a group to no other process as long as one of the group lives.
  const current = group === null ? null : await identityOf(group);
  const isReused = current !== null && current.started !== leader?.started;
  const tree = { group: isReused ? null : group, runId };
  const remaining = await processesOf(tree);
  await endRemaining(tree, clock);
  await clearRunningApp(file);
  return remaining.length > 0 ? app : null;
}
