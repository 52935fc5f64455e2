import { hashText } from "../apply/apply.ts";
import { NO_FILE } from "../apply/file.ts";
import type { Disk } from "./disk.ts";

/** The hash of a file's bytes; `NO_FILE` without a file; another text for a folder. @throws Error of the file system */
export function hashAt(disk: Pick<Disk, "read">, file: string): string {
  try {
    const bytes = disk.read(file);
    return bytes === null ? NO_FILE : hashText(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return "folder";
    throw error;
  }
}

/**
 * Puts a new file in the place of one that has the expected content, without a pause. The file is taken aside before it is
 * looked at, and nothing is written over: so what another program saves at any moment, in place or by renaming, stays.
 * @param expected hash, or `NO_FILE` @param next the new file, which gets a second name; null removes the file
 * @param aside where the old file is afterwards
 * @returns false when the file has another content, which is in its place
 */
export function replaceFile(disk: Disk, path: string, expected: string, next: string | null, aside: string): boolean {
  if (hashAt(disk, path) !== expected) return false;
  if (expected === NO_FILE) return next === null || disk.link(next, path);
  disk.rename(path, aside);
  if (hashAt(disk, aside) === expected) return next === null || disk.link(next, path);
  putBack(disk, aside, path);
  return false;
}

/** Puts a file back unless another program has saved a newer one in its place. */
export function putBack(disk: Disk, aside: string, path: string): void {
  disk.link(aside, path);
  disk.remove(aside);
}
