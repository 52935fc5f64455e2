import type { Job } from "../../robot/wire/apps/jobs.ts";

/** How the command of an install begins, before its source. */
const INSTALL = "install ";

/**
 * The source of an install that failed because the app conflicts with others, and that can be repeated with an environment of
 * its own (the error then names `--isolated`); null for any other job.
 */
export function conflictingSource({ status, code, command, error }: Job): string | null {
  const isConflict = status === "failed" && code === "dependency-conflict" && error?.includes("--isolated") === true;
  return isConflict && command.startsWith(INSTALL) ? command.slice(INSTALL.length) : null;
}

/** Whether the text of the install box is an address and not a folder. */
export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source.trim());
