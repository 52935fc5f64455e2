import { isDiskFull } from "../../common/files/disk-full.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

export const DISK_FULL = "The disk is full; make room and try again.";

/** Turns the system's error of a full disk into `disk-full`, wherever in a job it happened. Returns others as they are. */
export function withDiskFullCode(error: unknown): unknown {
  return isDiskFull(error) ? new WorkbenchError("disk-full", DISK_FULL, { cause: error }) : error;
}
