import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Deletes a folder with all that is in it, if it is there, also folders that a program has made read-only.
 * @throws Error when something in it belongs to another user
 */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    await makeWritable(folder);
    await remove();
  });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  // A link is no folder here: what it leads to is not ours.
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
