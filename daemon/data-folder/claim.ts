import { createHash } from "node:crypto";
import { readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pid as ownPid } from "node:process";
import { identityOf } from "../apps/stop/process-table.ts";
import { makeFolder } from "./make.ts";

/** The right to something that one program at a time may use. */
export interface Claim {
  /** Says something else to those who ask. */
  note(text: string): Promise<void>;
  /** Gives it free; does nothing the second time. */
  release(): Promise<void>;
}

/** Who holds it instead: process id, and what that process says of itself (empty while it is about to). */
export interface Rival {
  pid: number;
  note: string;
}

/** Two that come at the same moment both step back; each tries again after a time of its own. */
const TRIES = 5;
const stepBackMs = (): number => 20 + (ownPid % 10) * 15;

/**
 * Claims a thing by a file of one's own in the folder of its claims, and then looks at the others'. Whoever comes
 * second sees the first, so never two hold it. A file is named by pid and start time: one whose process has ended is
 * told for sure, whoever has that pid by then, and can be taken away by anybody.
 *
 * @param claims folder for the files; gone when nobody holds the thing
 * @throws the file system's own error
 */
export async function claim(claims: string, note: string): Promise<Claim | Rival> {
  const own = path.join(claims, await ownName());
  for (let tries = 1; ; tries += 1) {
    const rival = (await put(own, note)) ? await rivalIn(claims, own) : await rivalAt(own);
    if (rival === null) return claimOf(own);
    if (rival.pid === ownPid) return rival;
    await release(own);
    if (tries === TRIES) return rival;
    await new Promise((resolve) => setTimeout(resolve, stepBackMs()));
  }
}

/** Who holds it at this moment; null when nobody does. */
export function holderOf(claims: string): Promise<Rival | null> {
  return rivalIn(claims, null);
}

export const isClaim = (result: Claim | Rival): result is Claim => "release" in result;

function claimOf(own: string): Claim {
  return { note: (text) => writeFile(own, text), release: () => release(own) };
}

/** False when this process holds the thing already. */
async function put(own: string, note: string): Promise<boolean> {
  for (;;) {
    makeFolder(path.dirname(own));
    try {
      await writeFile(own, note, { flag: "wx" });
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // The last holder took the folder along.
      if (code !== "ENOENT") throw error;
    }
  }
}

async function release(own: string): Promise<void> {
  await rm(own, { force: true });
  await rmdir(path.dirname(own)).catch(() => undefined);
}

/** A living process that claims the same; what ended ones have left is taken away. */
async function rivalIn(claims: string, own: string | null): Promise<Rival | null> {
  for (const name of await readdir(claims).catch(() => [])) {
    const file = path.join(claims, name);
    if (file === own) continue;
    const pid = Number.parseInt(name, 10);
    if ((await claimNameOf(pid)) === name) return rivalAt(file);
    await rm(file, { force: true });
  }
  if (own === null) await rmdir(claims).catch(() => undefined);
  return null;
}

async function rivalAt(file: string): Promise<Rival> {
  return { pid: Number.parseInt(path.basename(file), 10), note: await readFile(file, "utf8").catch(() => "") };
}

async function ownName(): Promise<string> {
  const name = await claimNameOf(ownPid);
  if (name === null) throw new Error(`process ${ownPid} is not in the process table`);
  return name;
}

/** The file of a process's claim: `PID-DIGEST`, of its start time; null when there is no such process. */
export async function claimNameOf(pid: number): Promise<string | null> {
  const identity = Number.isSafeInteger(pid) ? await identityOf(pid) : null;
  if (identity === null) return null;
  return `${pid}-${createHash("sha256").update(identity.started).digest("hex").slice(0, 16)}`;
}
