import { accessSync, constants, mkdirSync } from "node:fs";
import { WorkbenchError } from "../robot/wire/errors.ts";

/** Makes the data folder unless it is there. Throws `usage` when it cannot be made or written to. */
export function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WorkbenchError(
      "usage",
      `The data folder ${folder} cannot be made or written to (${code}); name another with --data-dir.`,
      { cause: error },
    );
  }
}
