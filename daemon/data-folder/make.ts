import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** Makes the data folder unless it is there. Throws `usage` when it cannot be made or written to. */
export function makeDataDir(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** What a person is told when nothing can be kept in the data folder. */
export function unusable(folder: string, cause: unknown): WorkbenchError {
  const { code } = cause as NodeJS.ErrnoException;
  const what = `The data folder ${folder} cannot be made or written to (${code ?? String(cause)})`;
  return new WorkbenchError("usage", `${what}; name another with --data-dir.`, { cause });
}

/** Like `mkdir -p`. Node's own never returns where a folder exists but takes no entries, as /proc does. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another program may have been quicker.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
