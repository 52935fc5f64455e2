import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pid } from "node:process";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../clock.ts";
import { readJson } from "../json-file.ts";
import { Identity, identityOf, isAlive } from "../stop/process-table.ts";
import { sweep } from "../stop/sweep.ts";
import { putBack } from "./transaction.ts";

/** What the tools that change an environment are known by, whoever started them. */
export function venvMark(venv: string): string {
  return `install ${path.resolve(venv)}`;
}

/**
 * Does work on an environment as the only program that does; a lock whose holder has gone does not count, and
 * what that left running is ended first: a killed program does not take its pip along.
 * @throws WorkbenchError `app-busy` when another program holds it
 */
export async function withVenvLock<T>(venv: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const file = `${venv}.lock`;
  await mkdir(path.dirname(venv), { recursive: true });
  const holder = await holderOf(file);
  if (holder !== null) {
    const next = "Wait until it is done, or install over the daemon's own interface.";
    throw new WorkbenchError("app-busy", `Process ${holder.pid} is changing ${venv} at this moment. ${next}`);
  }
  if (existsSync(file)) await sweep({ group: null, mark: venvMark(venv) }, clock);
  await writeFile(file, JSON.stringify(await identityOf(pid)));
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Undoes a change that a killed program left unfinished; one that is under way is left alone.
 * @param stagingDir is emptied of what that program left, too
 */
export async function recoverVenv(venv: string, stagingDir: string, clock: Clock): Promise<void> {
  if ((await holderOf(`${venv}.lock`)) !== null) return;
  await withVenvLock(venv, clock, () => putBack(venv));
  await rm(stagingDir, { recursive: true, force: true });
}

async function holderOf(file: string): Promise<Identity | null> {
  const holder = await readJson(file, Identity);
  return holder !== null && (await isAlive(holder)) ? holder : null;
}
