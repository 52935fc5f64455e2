import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import writeFileAtomic from "write-file-atomic";
import { isInside } from "../../../common/machine/is-inside.ts";
import { readIfPresent } from "../../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { escapeControls } from "../../escape-controls.ts";
import type { PlannedChange } from "./plan-fixes.ts";

/** The changes as one unified diff, with the files named as git names them. */
export function formatDiff(changes: readonly PlannedChange[], colour: boolean): string {
  return changes
    .map(({ file, before, after }) => {
      const old = before === null ? "/dev/null" : `a/${file}`;
      const patch = createTwoFilesPatch(old, `b/${file}`, before ?? "", after, undefined, undefined, { context: 3 });
      const lines = patch.split("\n").filter((line) => !/^=+$/.test(line));
      return lines.map((line) => paint(escapeControls(line), colour)).join("\n");
    })
    .join("");
}

function paint(line: string, colour: boolean): string {
  const code = /^(?:---|\+\+\+)/.test(line) ? 1 : line.startsWith("+") ? 32 : line.startsWith("-") ? 31 : 0;
  return colour && code > 0 ? `\x1b[${code}m${line}\x1b[0m` : line;
}

/**
 * Writes the changes, each file whole or not at all. Nothing is written when a file is not as it was read: a person may
 * save it while they are asked.
 * @throws WorkbenchError `edit-refused` when a file changed, exists already, or lies outside of the folder behind a link;
 *   Error of Node when one cannot be read or written
 */
export async function writeChanges(folder: string, changes: readonly PlannedChange[]): Promise<void> {
  for (const { file, before } of changes) {
    await requireInside(folder, join(folder, file));
    await requireUnchanged(join(folder, file), before);
  }
  for (const { file, after } of changes) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, after);
  }
}

/** @throws WorkbenchError `edit-refused` where a link on the path leads out of the folder */
async function requireInside(folder: string, path: string): Promise<void> {
  const real = await realpath(path).catch(() => undefined);
  // What is not there yet is created in its folder.
  if (real === undefined) return path === folder ? undefined : requireInside(folder, dirname(path));
  if (isInside(await realpath(folder), real)) return;
  throw new WorkbenchError(
    "edit-refused",
    `${path} is a link to ${real}, outside of ${folder}. Nothing was written; replace the link by a file of the app.`,
  );
}

/** @param before the text that was read; null for a file that was not there */
async function requireUnchanged(path: string, before: string | null): Promise<void> {
  const found = await readIfPresent(path);
  if (found === before) return;
  const why =
    before === null
      ? `${path} exists: it was created after the app was read, or .gitignore lists it. Nothing was written; move it or check again.`
      : `${path} changed after it was read. Nothing was written; check again.`;
  throw new WorkbenchError("edit-refused", why);
}
