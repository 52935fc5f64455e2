import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { loadExeca } from "../machine/load-execa.ts";

/** GNU sync flushes a whole file system with one syncfs(2); sync(1). */
const SYNC = "sync";
/** A slow SD card flushes what an install wrote within this time; a failing one never does. */
const SYNC_TIMEOUT_MS = 60_000;
/** Files that are flushed at the same time. */
const CONCURRENCY = 16;

/** Flushes all files of a folder to the disk, so that they survive a power loss. */
export async function flushTree(folder: string, sync = SYNC): Promise<void> {
  // Flushing thousands of files one by one takes seconds, flushing their file system a moment.
  const execa = await loadExeca();
  const { failed, timedOut } = await execa(sync, ["--file-system", folder], {
    reject: false,
    timeout: SYNC_TIMEOUT_MS,
    stdio: "ignore",
  });
  if (timedOut) throw new Error(`the disk did not take ${folder} within ${SYNC_TIMEOUT_MS / 1000} s`);
  if (failed) await flushEach(folder);
}

/** Flushes one file, or the entries of one folder. */
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
  for (let at = 0; at < files.length; at += CONCURRENCY) {
    await Promise.all(files.slice(at, at + CONCURRENCY).map(flushEntry));
  }
  await flushEntry(folder);
}
