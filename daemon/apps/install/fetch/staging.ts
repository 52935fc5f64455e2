import { mkdtemp, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { ensureFolder } from "../../../../common/files/make-folder.ts";

/** The folder in which everything temporary is fetched and built; a program that opens the data folder empties it. */
export const stagingFolderIn = (dataDir: string): string => path.join(dataDir, "staging");

/** Runs work with a new folder in the staging folder. Removes it afterwards, and the staging folder when it is empty. */
export async function withStagingFolder<T>(stagingDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  ensureFolder(stagingDir);
  const folder = await mkdtemp(path.join(stagingDir, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rmdir(stagingDir).catch(() => undefined);
  }
}
