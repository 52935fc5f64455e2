import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { acquireLock, holderName, isAcquired, type LockHolder } from "../../common/files/process-lock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { jsonOrNull } from "../../robot/wire/validation/parse-json.ts";
import { dataDirError, ensureDataDir } from "../files/data-dir.ts";

/** What a program uses a data folder for, as it tells others. */
const DataFolderUse = z.object({
  doing: z.enum(["daemon", "install"]),
  /** Address of a daemon; null before its port is open. */
  url: z.string().nullable(),
  /** The apps' Python environment that it uses. */
  venv: z.string().nullable(),
});
export type DataFolderUse = z.infer<typeof DataFolderUse>;

/** A data folder that only this program uses. */
export interface DataFolder {
  /** Lets other programs know how this one uses the folder and where it is reached. */
  publish(use: DataFolderUse): Promise<void>;
  close(): Promise<void>;
}

/** Another program that uses the data folder. */
export interface DataFolderHolder extends DataFolderUse {
  /** As in `LockHolder`. */
  pid: number | null;
}

interface WaitOptions {
  signal: AbortSignal;
  /** Called once when another program's install has to end first. */
  onWait(message: string): void;
}

/** Milliseconds between two looks at a folder in use. */
const POLL_MS = 100;

/**
 * Opens a data folder: creates it unless it exists, waits while another program installs into it, and removes files
 * that a killed program was writing.
 *
 * @throws WorkbenchError `usage` when it cannot be created or written to, `data-folder-in-use` while a daemon uses it;
 *   the signal's reason
 */
export async function openDataFolder(
  folder: string,
  use: DataFolderUse,
  { signal, onWait }: WaitOptions,
): Promise<DataFolder> {
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted();
    const opened = await tryOpenDataFolder(folder, use);
    if ("close" in opened) return opened;
    if (opened.doing !== "install") throw dataFolderInUseError(folder, opened);
    if (!waited) onWait(`${holderName(opened)} is installing into ${folder}; waiting until it is done.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Returns the folder, or the program that uses it; does not wait.
 * @throws WorkbenchError `usage` when the folder cannot be created or written to
 */
export async function tryOpenDataFolder(folder: string, use: DataFolderUse): Promise<DataFolder | DataFolderHolder> {
  ensureDataDir(folder);
  const lock = await acquireLock(path.join(folder, "in-use"), JSON.stringify(use)).catch((error) => {
    throw dataDirError(folder, error);
  });
  if (!isAcquired(lock)) return holderFrom(lock);
  await removePartialFiles(folder);
  return { publish: (other) => lock.note(JSON.stringify(other)), close: () => lock.release() };
}

/** The program that uses a data folder, a daemon with its address; null when none does. */
export async function findDataFolderHolder(folder: string): Promise<DataFolderHolder | null> {
  if (!existsSync(folder)) return null;
  const holder = await tryOpenDataFolder(folder, { doing: "install", url: null, venv: null });
  if (!("close" in holder)) return holder;
  await holder.close();
  return null;
}

/** The error for a program that needs the folder while a daemon uses it. */
export function dataFolderInUseError(folder: string, { pid, url }: DataFolderHolder): WorkbenchError {
  const place = url === null ? "" : ` at ${url}`;
  const [who, how] =
    pid === null
      ? ["A robot-daemon in another container, or one that does not answer,", "end it"]
      : [`A robot-daemon (process ${pid})${place}`, `end it (kill ${pid})`];
  return new WorkbenchError(
    "data-folder-in-use",
    `${who} uses the data folder ${folder}. Use that one, ${how}, or name another folder with --data-dir.`,
  );
}

/** A holder that does not answer cannot say what it does; most holders are daemons. */
function holderFrom({ pid, note }: LockHolder): DataFolderHolder {
  const use = DataFolderUse.safeParse(jsonOrNull(note));
  return { pid, ...(use.success ? use.data : { doing: "daemon" as const, url: null, venv: null }) };
}

/** The name that `write-file-atomic` writes a file under before it renames it. */
const PARTIAL_FILE = /^(.+\.json|access-token)\.\d+$/;

async function removePartialFiles(folder: string): Promise<void> {
  const partial = (await readdir(folder)).filter((name) => PARTIAL_FILE.test(name));
  await Promise.all(partial.map((name) => rm(path.join(folder, name), { force: true })));
}
