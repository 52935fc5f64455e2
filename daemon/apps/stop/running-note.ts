import { readFile, rm } from "node:fs/promises";
import { pid as ownPid } from "node:process";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { membersOf } from "./members.ts";
import { processTable } from "./process-table.ts";
import { sweep } from "./sweep.ts";

const Identity = z.object({ pid: z.int().positive(), started: z.string() });
const Note = z.object({ app: z.string(), leader: Identity, mark: z.string(), daemon: Identity });

/** Writes down which app runs, for a daemon that follows one that was killed. */
export async function noteRunning(file: string, app: string, pid: number, mark: string): Promise<void> {
  const table = await processTable();
  const started = (of: number) => table.find((entry) => entry.pid === of)?.started ?? "ended";
  const leader = { pid, started: started(pid) };
  const daemon = { pid: ownPid, started: started(ownPid) };
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
  const note = Note.safeParse(
    await readFile(file, "utf8")
      .then(JSON.parse)
      .catch(() => null),
  ).data;
  if (note === undefined) return null;
  const table = await processTable();
  const { leader, daemon } = note;
  if (table.some(({ pid, started }) => pid !== ownPid && pid === daemon.pid && started === daemon.started)) return null;
  const reused = table.some(({ pid, started }) => pid === leader.pid && started !== leader.started);
  const kin = { group: reused ? null : leader.pid, mark: note.mark };
  const left = await membersOf(kin);
  await sweep(kin, clock);
  await forgetRunning(file);
  return left.length > 0 ? note.app : null;
}
