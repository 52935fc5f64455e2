import { readFile, rm } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { membersOf } from "./members.ts";
import { processTable } from "./process-table.ts";
import { sweep } from "./sweep.ts";

const Note = z.object({ app: z.string(), pid: z.int().positive(), started: z.string(), mark: z.string() });

/** Writes down which app runs, for a daemon that follows one that was killed. */
export async function noteRunning(file: string, app: string, pid: number, mark: string): Promise<void> {
  const started = await startOf(pid);
  if (started === undefined) return;
  await writeFileAtomic(file, JSON.stringify({ app, pid, started, mark }));
}

export async function forgetRunning(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Ends the app that a killed daemon left behind, if it is the one that was noted: a pid alone may by then be another
 * program's. @returns the app's name when something of it had to be ended
 */
export async function endLeftovers(file: string, clock: Clock): Promise<string | null> {
  const note = Note.safeParse(
    await readFile(file, "utf8")
      .then(JSON.parse)
      .catch(() => null),
  ).data;
  if (note === undefined) return null;
  const started = await startOf(note.pid);
  const reused = started !== undefined && started !== note.started;
  const kin = { group: reused ? null : note.pid, mark: note.mark };
  const left = await membersOf(kin);
  await sweep(kin, clock);
  await forgetRunning(file);
  return left.length > 0 ? note.app : null;
}

async function startOf(pid: number): Promise<string | undefined> {
  return (await processTable()).find((entry) => entry.pid === pid)?.started;
}
