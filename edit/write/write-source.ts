import { randomBytes } from "node:crypto";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { NO_FILE, type SourceFile } from "../apply/file.ts";
import { REFUSALS } from "../refusal.ts";
import { DISK } from "./disk.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Replaces a file by the edited text, or makes it with its folders. It cannot be undone, as what `edit` writes can.
 * @throws WorkbenchError `edit-refused` when the file changed since it was read, or cannot be written
 */
export async function writeSource({ path, hash }: SourceFile, text: string): Promise<void> {
  const file = hash === NO_FILE ? path : await realpath(path).catch(() => path);
  const part = partsOf(dirname(file), randomBytes(6).toString("hex"), 0);
  let isWritten = false;
  try {
    DISK.makeFolder(dirname(file));
    await DISK.create(part.next, text, file);
    isWritten = replaceFile(DISK, file, hash, part.next, part.aside);
    DISK.remove(part.aside);
  } catch (cause) {
    throw cannotBeWritten(path, cause);
  } finally {
    DISK.remove(part.next);
  }
  if (!isWritten) throw changedSinceRead(path);
}

/** Files beside an edited one while it is replaced; tools that look at an app leave them out (`.robot-edit-*`). */
export const partsOf = (folder: string, edit: string, index: number) => ({
  next: join(folder, `.robot-edit-${edit}-${index}.new`),
  aside: join(folder, `.robot-edit-${edit}-${index}.old`),
  undone: join(folder, `.robot-edit-${edit}-${index}.undone`),
});

export const changedSinceRead = (path: string): WorkbenchError =>
  new WorkbenchError("edit-refused", `${REFUSALS["base-changed"]}: ${path}. Nothing was written; run the edit again.`);

export function cannotBeWritten(path: string, cause: unknown): WorkbenchError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new WorkbenchError("edit-refused", `${path} cannot be written (${code ?? message}).`, { cause });
}
