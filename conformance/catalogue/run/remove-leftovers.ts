import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pidExists } from "../../../common/machine/process-table.ts";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import { MAX_DEADLINE_S } from "../child-process/certify-in-child-process.ts";

/** Begins the names of scratch folders; the pid of their process follows. */
export const SCRATCH = "robot-cat-";
const HOUR_MS = 3_600_000;
/**
 * Milliseconds after which a scratch folder is old: the process in it may be in another container, where it cannot be seen
 * from here, so this is longer than the longest deadline of an app.
 */
const OLD_SCRATCH_MS = MAX_DEADLINE_S * 1000 + HOUR_MS;
/** The same for a verdict, which takes seconds to write. */
const OLD_VERDICT_MS = HOUR_MS;

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
  await removeOld(temporary, isLeft, now - OLD_SCRATCH_MS);
  if (unfinished !== null) await removeOld(unfinished, () => true, now - OLD_VERDICT_MS);
}

/** @param before milliseconds since the Unix epoch: what changed later stays */
async function removeOld(folder: string, wanted: (name: string) => boolean, before: number): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(wanted)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < before) await removeTree(path).catch(() => {});
  }
}
