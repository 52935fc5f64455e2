import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** Mounts a disk for 10 MB and 2000 files for the length of a test. Needs root; returns null where it is not allowed. */
export async function mountSmallDisk(): Promise<string | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "disk-"));
  const mounted = await run("mount", ["-t", "tmpfs", "-o", "size=10m,nr_inodes=2000", "tmpfs", folder]).then(
    () => true,
    () => false,
  );
  onTestFinished(async () => {
    if (mounted) await run("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return mounted ? folder : null;
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
