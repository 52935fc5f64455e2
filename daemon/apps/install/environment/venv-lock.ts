import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import {
  acquireLock,
  holderName,
  isAcquired,
  type LockHolder,
  type ProcessLock,
} from "../../../../common/files/process-lock.ts";
import { endProcesses } from "../../../../common/machine/process-tree.ts";
import { type Clock, sleep } from "../../../../common/time/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { InstalledApps } from "../../catalogue/installed-apps.ts";
import { ownVenvsIn, removeOwnVenv, restoreOwnVenvs } from "../../catalogue/own-venvs.ts";
import { runTree } from "../../start/app-command.ts";
import { rollBack } from "./transaction.ts";

/** The run id of all tools that change an environment, whichever program started them. */
export function installRunId(venv: string): string {
  return `install ${realPath(venv)}`;
}

const lockFolderOf = (venv: string): string => `${realPath(venv)}.lock`;

/** One environment may be reached over several links. */
function realPath(venv: string): string {
  return existsSync(venv) ? realpathSync(venv) : path.resolve(venv);
}

/** Time for another program to finish a short change, such as the clean-up when a daemon starts. */
const SHORT_CHANGE_MS = 2000;
const RETRY_MS = 100;

/**
 * Runs work on an environment while no other program changes it; a short change of another program is waited for. Tools
 * that a killed program left running are ended first.
 * @throws WorkbenchError `app-busy` when another program changes it, `usage` when its folder cannot be written to
 */
export async function withVenvLock<T>(venv: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const start = clock.now();
  let lock = await lockVenv(venv);
  while (!isAcquired(lock) && clock.now() - start < SHORT_CHANGE_MS) {
    await sleep(clock, RETRY_MS);
    lock = await lockVenv(venv);
  }
  if (!isAcquired(lock)) {
    const next = "Wait until it is done, or install over the daemon's own interface.";
    throw new WorkbenchError("app-busy", `${holderName(lock)} is changing ${venv} at this moment. ${next}`);
  }
  return runLocked(lock, venv, clock, work);
}

async function runLocked<T>(lock: ProcessLock, venv: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  try {
    await endProcesses(runTree(null, installRunId(venv)), clock);
    return await work();
  } finally {
    await lock.release();
  }
}

async function lockVenv(venv: string): Promise<ProcessLock | LockHolder> {
  try {
    return await acquireLock(lockFolderOf(venv), "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const next = "name another with --venv";
    throw new WorkbenchError("usage", `The environment ${venv} cannot be created or changed (${code}); ${next}.`, {
      cause: error,
    });
  }
}

/**
 * Rolls back a change that a killed program left unfinished. Does nothing while a program changes the environment.
 * @param stagingDir is removed as well
 */
export async function recoverVenv(venv: string, stagingDir: string, clock: Clock): Promise<void> {
  const lock = await lockVenv(venv);
  if (!isAcquired(lock)) return;
  await runLocked(lock, venv, clock, () => rollBack(venv));
  await rm(stagingDir, { recursive: true, force: true });
}

/**
 * Tidies up the environments of single apps after a killed program: rolls back changes, and removes environments whose
 * app was never installed. To be called while no other program uses the data folder.
 */
export async function recoverOwnVenvs(dataDir: string, stagingDir: string, clock: Clock): Promise<void> {
  await restoreOwnVenvs(dataDir);
  for (const venv of await ownVenvsIn(dataDir)) {
    await recoverVenv(venv, stagingDir, clock);
    if ((await new InstalledApps(venv).list()).length === 0) await removeOwnVenv(venv);
  }
}
