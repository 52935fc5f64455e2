import { execFile } from "node:child_process";
import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** GNU's, which flushes a whole file system by one syncfs(2); sync(1). */
const SYNC = "sync";
/** How many files are flushed at once. */
const AT_ONCE = 16;

/** Brings all that a folder holds to the disk, so that it outlasts a power loss. */
export async function flushTree(folder: string, sync = SYNC): Promise<void> {
  // Thousands of files one by one take seconds, their file system as a whole a moment.
  await promisify(execFile)(sync, ["--file-system", folder]).catch(() => flushEach(folder));
}

/** Brings one file, or the names in one folder, to the disk. */
export async function flushEntry(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function flushEach(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(flushEntry));
  await flushEntry(folder);
}
