import { mkdtemp, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pid } from "node:process";
import { pidExists } from "../../common/machine/machine.ts";
import { removeTree } from "../../common/machine/remove-tree.ts";
import { MAX_DEADLINE_S } from "./limits.ts";

/** Begins the names of scratch folders; the pid of their process follows. */
const SCRATCH = "robot-certify-";
const HOUR_MS = 3_600_000;
/**
 * Milliseconds after which a scratch folder is old: the process in it may be in another container, where it cannot be seen
 * from here, so this is longer than the longest deadline of an app.
 */
const OLD_SCRATCH_MS = MAX_DEADLINE_S * 1000 + HOUR_MS;

/** Makes a folder for the temporary files of one certification. */
export const makeScratchFolder = (): Promise<string> => mkdtemp(join(tmpdir(), `${SCRATCH}${pid}-`));

/**
 * Removes the scratch folders that killed processes left, as far as it can.
 * @param temporary folder of temporary files
 * @param now milliseconds since the Unix epoch
 */
export async function removeOldScratchFolders(temporary: string, now: number): Promise<void> {
  const isLeft = (name: string): boolean => {
    const owner = new RegExp(`^${SCRATCH}(\\d+)-`).exec(name)?.[1];
    return owner !== undefined && !pidExists(Number(owner));
  };
  for (const name of (await readdir(temporary).catch(() => [])).filter(isLeft)) {
    const path = join(temporary, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < now - OLD_SCRATCH_MS) await removeTree(path).catch(() => {});
  }
}
