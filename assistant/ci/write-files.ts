import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { formatDiff } from "../check/fix/apply-fixes.ts";

export interface PlannedFile {
  /** Absolute. */
  path: string;
  text: string;
  /** Whether a file may be replaced without --force, because the new text contains all of the old one. */
  mayReplace?: boolean;
  executable?: boolean;
}

/**
 * Writes a file and returns what happened to it, as a word.
 * @param replace whether a file of other content may be replaced
 * @throws WorkbenchError `bad-request` with the difference, for a file that may not; errors of the file system
 */
export async function writePlanned(file: PlannedFile, replace: boolean): Promise<"created" | "changed" | "unchanged"> {
  const before = await readIfPresent(file.path);
  if (before !== null && before !== file.text && !replace && !file.mayReplace) {
    const diff = formatDiff([{ file: path.basename(file.path), before, after: file.text }], false);
    throw new WorkbenchError("bad-request", `${file.path} exists with other content; --force replaces it:\n${diff}`);
  }
  if (before !== file.text) {
    await mkdir(path.dirname(file.path), { recursive: true });
    await writeFileAtomic(file.path, file.text);
  }
  // Git ignores a hook that may not be executed.
  if (file.executable) await chmod(file.path, 0o755);
  if (before === null) return "created";
  return before === file.text ? "unchanged" : "changed";
}
