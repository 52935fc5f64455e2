import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Like `mkdir -p`. Node's recursive mkdir never returns where a folder exists but takes no entries, as /proc does, and
 * hides a full disk behind ENOENT.
 */
export function ensureFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) ensureFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it in between.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
