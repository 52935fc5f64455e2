import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import path from "node:path";

/** Where everything is fetched and built that is not to stay; whoever takes the data folder over empties it. */
export const stagingIn = (dataDir: string): string => path.join(dataDir, "staging");

/** Does work with a folder of its own that is gone afterwards, the staging folder too once nobody uses it. */
export async function inStaging<T>(stagingDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(stagingDir, { recursive: true });
  const staging = await mkdtemp(path.join(stagingDir, "work-"));
  try {
    return await work(staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rmdir(stagingDir).catch(() => undefined);
  }
}
