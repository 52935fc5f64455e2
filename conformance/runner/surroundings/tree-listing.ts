import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder by their paths in it, each with what changes when it is written to, replaced or removed. */
export type TreeListing = ReadonlyMap<string, string>;

/** In place of size and times, which change with what is in a folder. */
const FOLDER = "folder";
/** Whether an entry of a listing is a folder. */
export const isFolder = (status: string): boolean => status.endsWith(FOLDER);

/** @param isSkipped tells the files and folders that are left out, by their paths in the folder */
export function listTree(folder: string, isSkipped: (name: string) => boolean = () => false): TreeListing {
  const listing = new Map<string, string>();
  const walk = (inside: string): void => {
    let entries: ReturnType<typeof readEntries> = [];
    try {
      entries = readEntries(join(folder, inside));
    } catch {
      // It is not there, or may not be read.
    }
    for (const entry of entries) {
      const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
      if (isSkipped(name)) continue;
      if (entry.isDirectory()) walk(name);
      const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (status === undefined) continue;
      const times = entry.isDirectory() ? FOLDER : `${status.size} ${status.mtimeMs} ${status.ctimeMs}`;
      listing.set(name, `${status.mode} ${status.ino} ${times}`);
    }
  };
  walk("");
  return listing;
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** What changed between two listings, for sentences: `changed numpy/__init__.py`. */
export function changesBetween(before: TreeListing, after: TreeListing): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    if (one === other) return [];
    return [`${one === undefined ? "added" : other === undefined ? "removed" : "changed"} ${name}`];
  });
}
