import { isDiskFull } from "../../common/files/disk-full.ts";
import { isAbsent, isExhausted } from "../../common/machine/absent.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

export const DISK_FULL = "The disk is full; make room and try again.";

/** What to do, by the system's code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EMFILE:
    "The daemon has as many files and connections open as it may. Close some of its clients, or start it with more: " +
    "ulimit -n 4096 (LimitNOFILE=4096 in a unit of systemd).",
  ENFILE: "This computer has as many files open as it may. End some of its programs.",
  ENOMEM: "The memory is full. End some programs.",
  EAGAIN: "This user has as many processes as it may. End some programs.",
  EACCES: "Give the user of the daemon access to it.",
  EPERM: "Give the user of the daemon access to it.",
  EIO: "Check the disk.",
};

/**
 * Turns an error of the system into one of the registry, wherever it happened: `disk-full`, and `system-refused` for one that does
 * not say that something is absent. Returns others as they are.
 */
export function withSystemCode(error: unknown): unknown {
  if (isDiskFull(error)) return new WorkbenchError("disk-full", DISK_FULL, { cause: error });
  if (!(error instanceof Error) || error instanceof WorkbenchError) return error;
  const { code = "", syscall, path, address } = error as NodeJS.ErrnoException & { address?: unknown };
  if (!isExhausted(error) && (syscall === undefined || address !== undefined || isAbsent(error))) return error;
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  const what = path === undefined ? `${syscall ?? "A call"} of the system fails` : `${path} cannot be used`;
  const remedy = REMEDIES[code] ?? "See what is wrong with it.";
  return new WorkbenchError("system-refused", `${what} (${code}). ${remedy} Then try again.`, { cause: error });
}
