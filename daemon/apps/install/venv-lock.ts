import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import { type Claim, claim, holderOf, isClaim, type Rival } from "../../data-folder/claim.ts";
import { sweep } from "../stop/sweep.ts";
import { putBack } from "./transaction.ts";

/** What the tools that change an environment are known by, whoever started them. */
export function venvMark(venv: string): string {
  return `install ${realPath(venv)}`;
}

const claimsOf = (venv: string): string => `${realPath(venv)}.lock`;

/** An environment is one, however many links lead to it. */
function realPath(venv: string): string {
  return existsSync(venv) ? realpathSync(venv) : path.resolve(venv);
}

/**
 * Does work on an environment as the only program that does. What a killed one left running is ended first: it does not
 * take its pip along.
 * @throws WorkbenchError `app-busy` when another program holds it, `usage` when its folder cannot be made
 */
export async function withVenvLock<T>(venv: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const claimed = await claimVenv(venv);
  if (!isClaim(claimed)) {
    const next = "Wait until it is done, or install over the daemon's own interface.";
    throw new WorkbenchError("app-busy", `Process ${claimed.pid} is changing ${venv} at this moment. ${next}`);
  }
  try {
    await sweep({ group: null, mark: venvMark(venv) }, clock);
    return await work();
  } finally {
    await claimed.release();
  }
}

async function claimVenv(venv: string): Promise<Claim | Rival> {
  try {
    return await claim(claimsOf(venv), "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const next = "name another with --venv";
    throw new WorkbenchError("usage", `The environment ${venv} cannot be made or changed (${code}); ${next}.`, {
      cause: error,
    });
  }
}

/**
 * Undoes a change that a killed program left unfinished; one that is under way is left alone.
 * @param stagingDir is emptied of what that program left, too
 */
export async function recoverVenv(venv: string, stagingDir: string, clock: Clock): Promise<void> {
  if ((await holderOf(claimsOf(venv))) !== null) return;
  await withVenvLock(venv, clock, () => putBack(venv));
  await rm(stagingDir, { recursive: true, force: true });
}
