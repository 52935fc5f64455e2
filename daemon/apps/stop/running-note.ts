import { rm } from "node:fs/promises";
import { pid as ownPid } from "node:process";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { readJson } from "../json-file.ts";
import { membersOf } from "./members.ts";
import { Identity, identityOf, isAlive } from "./process-table.ts";
import { sweep } from "./sweep.ts";

const Note = z.object({ app: z.string(), leader: Identity, mark: z.string(), daemon: Identity });

/** Writes down which app runs, for a daemon that follows one that was killed. */
export async function noteRunning(file: string, app: string, pid: number, mark: string): Promise<void> {
  const [leader, daemon] = [await identityOf(pid), await identityOf(ownPid)];
  if (leader === null || daemon === null) return;
  await writeFileAtomic(file, JSON.stringify({ app, leader, mark, daemon } satisfies z.infer<typeof Note>));
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
  const { app, leader, mark, daemon } = note;
  if (daemon.pid !== ownPid && (await isAlive(daemon))) return null;
  const found = await identityOf(leader.pid);
  const reused = found !== null && found.started !== leader.started;
  const kin = { group: reused ? null : leader.pid, mark };
  const left = await membersOf(kin);
  await sweep(kin, clock);
  await forgetRunning(file);
  return left.length > 0 ? app : null;
}
