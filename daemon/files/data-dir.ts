import { accessSync, constants } from "node:fs";
import { ensureFolder } from "../../common/files/make-folder.ts";
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
