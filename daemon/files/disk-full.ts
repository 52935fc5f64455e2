import { WorkbenchError } from "../../robot/wire/errors.ts";

export const DISK_FULL = "The disk is full; make room and try again.";

/** True for the system's error of a write to a full disk. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/** Turns the system's error of a full disk into `disk-full`, wherever in a job it happened. Returns others as they are. */
export function withDiskFullCode(error: unknown): unknown {
  return isDiskFull(error) ? new WorkbenchError("disk-full", DISK_FULL, { cause: error }) : error;
}
