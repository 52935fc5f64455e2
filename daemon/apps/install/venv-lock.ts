import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pid } from "node:process";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { Identity, identityOf, isAlive } from "../stop/process-table.ts";
import { putBack } from "./transaction.ts";

/**
 * Does work on an environment as the only program that does; a lock whose holder has gone does not count.
 * @throws WorkbenchError `app-busy` when another program holds it
 */
export async function withVenvLock<T>(venv: string, work: () => Promise<T>): Promise<T> {
  const file = `${venv}.lock`;
  await mkdir(path.dirname(venv), { recursive: true });
  const holder = await holderOf(file);
  if (holder !== null) {
    const next = "Wait until it is done, or install over the daemon's own interface.";
    throw new WorkbenchError("app-busy", `Process ${holder.pid} is changing ${venv} at this moment. ${next}`);
  }
  await writeFile(file, JSON.stringify(await identityOf(pid)));
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Undoes a change that a killed program left unfinished; one that is under way is left alone. */
export async function recoverVenv(venv: string): Promise<void> {
  if ((await holderOf(`${venv}.lock`)) === null) await withVenvLock(venv, () => putBack(venv));
}

async function holderOf(file: string): Promise<Identity | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const holder = Identity.parse(JSON.parse(text));
    return (await isAlive(holder)) ? holder : null;
  } catch {
    return null;
  }
}
