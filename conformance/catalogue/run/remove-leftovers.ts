import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pidExists } from "../../../common/machine/process-table.ts";
import { removeTree } from "../../../common/machine/remove-tree.ts";

/** Begins the names of scratch folders; the pid of their process follows. */
export const SCRATCH = "robot-cat-";
/** Milliseconds: longer than any certification, for folders of processes that cannot be seen from here. */
const OLD_MS = 3_600_000;

/**
 * Removes what processes left that were killed, as far as it can: scratch folders, and verdicts that were not written to
 * their end.
 * @param temporary folder of temporary files
 * @param unfinished folder in which the store writes verdicts; null without one
 * @param now milliseconds since the Unix epoch
 */
export async function removeLeftovers(temporary: string, unfinished: string | null, now: number): Promise<void> {
  const isLeft = (name: string): boolean => {
    const pid = new RegExp(`^${SCRATCH}(\\d+)-`).exec(name)?.[1];
    return pid !== undefined && !pidExists(Number(pid));
  };
  await removeOld(temporary, isLeft, now);
  if (unfinished !== null) await removeOld(unfinished, () => true, now);
}

async function removeOld(folder: string, wanted: (name: string) => boolean, now: number): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(wanted)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > OLD_MS) await removeTree(path).catch(() => {});
  }
}
