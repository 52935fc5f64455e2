import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/**
 * Creates the data folder unless it exists.
 * @param next what helps when that fails
 * @throws WorkbenchError `usage` when it cannot be created or written to
 */
export function ensureDataDir(folder: string, next?: string): void {
  try {
    ensureFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw dataDirError(folder, error, next);
  }
}

/** The error for a data folder that nothing can be written to. */
export function dataDirError(folder: string, cause: unknown, next = "name another with --data-dir"): WorkbenchError {
  const { code } = cause as NodeJS.ErrnoException;
  const what = `The data folder ${folder} cannot be created or written to (${code ?? String(cause)})`;
  return new WorkbenchError("usage", `${what}; ${next}.`, { cause });
}

/**
 * Like `mkdir -p`. Node's recursive mkdir never returns where a folder exists but takes no entries, as /proc does, and
 * hides a full disk behind ENOENT.
 */
export function ensureFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) ensureFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it in between.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
