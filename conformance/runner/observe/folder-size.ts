import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of a block of stat(2). */
const BLOCK = 512;
/** Entries that are counted at most: an app may have left millions of files. */
const MAX_ENTRIES = 50_000;

/** Number of files and folders in folders, with all below them. */
export async function countFiles(folders: readonly string[]): Promise<number> {
  const counts = folders.map(async (folder) => (await readdir(folder, { recursive: true }).catch(() => [])).length);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Bytes that are used in the file system of a folder, also by files that have no name any more. */
export async function usedBytesOf(folder: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(folder);
  return (blocks - bfree) * bsize;
}

/** Bytes that folders take on the disk, with all that is in them. */
export async function measureFolders(folders: readonly string[]): Promise<number> {
  const waiting = [...folders];
  let [bytes, entries] = [0, 0];
  for (let folder = waiting.pop(); folder !== undefined && entries < MAX_ENTRIES; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      entries += 1;
      if (entry.isDirectory()) waiting.push(path);
      bytes += BLOCK * ((await lstat(path).catch(() => null))?.blocks ?? 0);
    }
  }
  return bytes;
}
