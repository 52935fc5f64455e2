import type { Job } from "../../../robot/wire/apps/jobs.ts";

/** Begins the command of an install; its source follows. */
const INSTALL = "install ";

/**
 * What an install was asked for when it ended in a conflict with other apps, so that the app can have an environment of its
 * own; null for any other job. Only such a conflict names that way out.
 */
export function isolableSource({ status, code, command, error }: Job): string | null {
  const isConflict = status === "failed" && code === "dependency-conflict" && error?.includes("--isolated") === true;
  return isConflict && command.startsWith(INSTALL) ? command.slice(INSTALL.length) : null;
}
