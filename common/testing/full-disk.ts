import { execFile } from "node:child_process";
import { statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const run = promisify(execFile);

/**
 * Mounts a small disk for the length of a test. Needs root; returns null where it is not allowed.
 * @param size by default 10 MB and 2000 files
 */
export async function mountSmallDisk({ megabytes = 10, files = 2000 } = {}): Promise<string | null> {
  const folder = temporaryFolder("disk-");
  const mounted = await run("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,nr_inodes=${files}`,
    "tmpfs",
    folder,
  ]).then(
    () => true,
    () => false,
  );
  if (!mounted) return null;
  onTestFinished(() => run("umount", ["--lazy", folder]).then(() => {}));
  return folder;
}

/** Takes all room of a disk but some bytes, by one file. @returns the file */
export async function fillDiskBut(disk: string, free: number): Promise<string> {
  const filler = path.join(disk, "filler");
  const { bavail, bsize } = await statfs(disk);
  const size = bavail * bsize - free;
  if (size > 0) await run("fallocate", ["--length", String(size), filler]);
  return filler;
}

/** Writes until the disk takes neither another byte nor another file. */
export async function fillDisk(disk: string): Promise<void> {
  for (const size of [1_000_000, 10_000, 1, 0]) {
    for (let count = 0; ; count += 1) {
      const full = await writeFile(path.join(disk, `filler-${size}-${count}`), "x".repeat(size)).then(
        () => false,
        () => true,
      );
      if (full) break;
    }
  }
}
