import { rm } from "node:fs/promises";
import { pid as ownPid } from "node:process";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { readJson } from "../json-file.ts";
import { membersOf } from "./members.ts";
import { Identity, identityOf, isAlive } from "./process-table.ts";
import { sweep } from "./sweep.ts";

const Note = z.object({
  app: z.string(),
  /** Process group; null before there is one. */
  group: z.int().positive().nullable(),
  /** Null when it was gone before anybody could look; others of its group may live on. */
  leader: Identity.nullable(),
  mark: z.string(),
  daemon: Identity,
});

/**
 * Writes down which app runs, for a daemon that follows one that was killed.
 * @param group the leader's pid; null for an app that is about to be started, which its mark will tell
 */
export async function noteRunning(file: string, app: string, group: number | null, mark: string): Promise<void> {
  const [leader, daemon] = [group === null ? null : await identityOf(group), await identityOf(ownPid)];
  if (daemon === null) return;
  const note: z.infer<typeof Note> = { app, group, leader, mark, daemon };
  // Whoever kills the daemon does not take the system's memory of the file along, and a power loss takes the app.
  await writeFileAtomic(file, JSON.stringify(note), { fsync: false });
}

export async function forgetRunning(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Ends the app that a killed daemon left behind, if it is the one that was noted: a pid alone may by then be another
 * program's. Leaves it alone while that daemon lives.
 * @returns the app's name when something of it had to be ended
 */
export async function endLeftovers(file: string, clock: Clock): Promise<string | null> {
  const note = await readJson(file, Note);
  if (note === null) return null;
  const { app, group, leader, mark, daemon } = note;
  if (daemon.pid !== ownPid && (await isAlive(daemon))) return null;
  // As long as anybody of the group lives, the system gives its number to no other process.
  const found = group === null ? null : await identityOf(group);
  const reused = found !== null && found.started !== leader?.started;
  const kin = { group: reused ? null : group, mark };
  const left = await membersOf(kin);
  await sweep(kin, clock);
  await forgetRunning(file);
  return left.length > 0 ? app : null;
}
