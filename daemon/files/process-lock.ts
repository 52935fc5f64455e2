import { createHash } from "node:crypto";
import { readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pid as ownPid } from "node:process";
import { identityOf, pidExists } from "../../common/machine/process-table.ts";
import { isDiskFull } from "./disk-full.ts";
import { ensureFolder } from "./make-folder.ts";

type Identify = typeof identityOf;

/** A lock that this process holds. */
export interface ProcessLock {
  /** Replaces the text that other processes read about the holder. */
  note(text: string): Promise<void>;
  /** Releases the lock; does nothing the second time. */
  release(): Promise<void>;
}

/** Another process that holds the lock, and the text that it left about itself (empty before it wrote one). */
export interface LockHolder {
  pid: number;
  note: string;
}

/** Two processes that come at the same moment both back off, each for a time of its own, and try again. */
const ATTEMPTS = 5;
const backoffMs = (): number => 20 + (ownPid % 10) * 15;

/**
 * Acquires a lock that one process at a time can hold. Each process creates a file in the lock folder and then looks
 * for files of others, so two processes never both hold the lock. A file is named by pid and start time: when that
 * process has ended the file is stale, even if another process has the pid by now, and any process may remove it.
 *
 * @param folder folder of the lock files; it exists only while a process holds the lock
 * @param note text for other processes; lost where the disk is full
 * @param identify reads the process table. Where that fails, any process with the pid of a file counts as its holder
 * @returns the lock, or the process that holds it
 * @throws Error of the file system
 */
export async function acquireLock(
  folder: string,
  note: string,
  identify = identityOf,
): Promise<ProcessLock | LockHolder> {
  const own = path.join(folder, await ownFileName(identify));
  for (let attempt = 1; ; attempt += 1) {
    const created = await createLockFile(own, note);
    const holder = created === "exists" ? await readHolder(own) : await otherHolderIn(folder, own, identify);
    if (holder === null) return created === "no room" ? LOCK_WITHOUT_FILE : lockAt(own);
    if (holder.pid === ownPid) return holder;
    await release(own);
    if (attempt === ATTEMPTS) return holder;
    await new Promise((resolve) => setTimeout(resolve, backoffMs()));
  }
}

export const isAcquired = (result: ProcessLock | LockHolder): result is ProcessLock => "release" in result;

function lockAt(own: string): ProcessLock {
  return { note: (text) => writeNote(own, text), release: () => release(own) };
}

/** On a full disk. Others do not see this lock, but they cannot write to that disk either. */
const LOCK_WITHOUT_FILE: ProcessLock = { note: async () => {}, release: async () => {} };

/** Creates this process's file. When it exists already, this process holds the lock. */
async function createLockFile(own: string, note: string): Promise<"created" | "exists" | "no room"> {
  for (;;) {
    try {
      ensureFolder(path.dirname(own));
      await writeFile(own, "", { flag: "wx" });
      await writeNote(own, note);
      return "created";
    } catch (error) {
      if (isDiskFull(error)) return "no room";
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return "exists";
      // Another process released the lock and removed the folder in between.
      if (code !== "ENOENT") throw error;
    }
  }
}

/** The lock is the file's name, so a full disk costs only the note. */
async function writeNote(own: string, note: string): Promise<void> {
  await writeFile(own, note).catch((error) => {
    if (!isDiskFull(error)) throw error;
  });
}

async function release(own: string): Promise<void> {
  await rm(own, { force: true });
  await rmdir(path.dirname(own)).catch(() => undefined);
}

/** A living process other than `own` with a file in the folder. Removes the files of processes that have ended. */
async function otherHolderIn(folder: string, own: string, identify: Identify): Promise<LockHolder | null> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    if (file === own) continue;
    const pid = Number.parseInt(name, 10);
    if (await isHolder(pid, name, identify)) return readHolder(file);
    await rm(file, { force: true });
  }
  return null;
}

async function readHolder(file: string): Promise<LockHolder> {
  return { pid: Number.parseInt(path.basename(file), 10), note: await readFile(file, "utf8").catch(() => "") };
}

/** The file's name where the process table cannot be read: by the pid alone. */
const nameWithoutStart = (pid: number): string => `${pid}-unknown`;

async function ownFileName(identify: Identify): Promise<string> {
  const name = await lockFileName(ownPid, identify).catch(() => nameWithoutStart(ownPid));
  if (name === null) throw new Error(`process ${ownPid} is not in the process table`);
  return name;
}

/** Whether a lock file's process lives. Where that cannot be told from a later process with its pid, it counts as alive. */
async function isHolder(pid: number, name: string, identify: Identify): Promise<boolean> {
  if (name === nameWithoutStart(pid)) return pidExists(pid);
  return lockFileName(pid, identify).then(
    (current) => current === name,
    () => pidExists(pid),
  );
}

/**
 * Name of a process's lock file, `PID-DIGEST` with a digest of its start time; null when there is no such process.
 * @throws Error when the process table cannot be read
 */
export async function lockFileName(pid: number, identify: Identify = identityOf): Promise<string | null> {
  const identity = Number.isSafeInteger(pid) ? await identify(pid) : null;
  if (identity === null) return null;
  return `${pid}-${createHash("sha256").update(identity.started).digest("hex").slice(0, 16)}`;
}
