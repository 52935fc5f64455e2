import { type FSWatcher, statSync, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

interface FolderWatch {
  /** Nothing is reported afterwards. */
  close(): void;
}

/**
 * Watches a folder and the folders in it with one `fs.watch` each. That also sees files that an editor replaces by
 * renaming another one over them, which a watch of the file itself loses.
 * @param isIgnored whether a path is left out, relative to the folder; folders end with "/"
 * @param onChange is called with the path of each file that was written, created, renamed or removed, relative to the
 *   folder, with "/" between folders; soon after the change, and possibly more than once for one change
 * @throws Error of Node when the folder cannot be read, or the system's limit of watches is reached
 */
export async function watchFolder(
  folder: string,
  isIgnored: (path: string) => boolean,
  onChange: (file: string) => void,
): Promise<FolderWatch> {
  const watchers = new Map<string, { watcher: FSWatcher; identity: string }>();
  let closed = false;

  const identityOf = (inside: string): string => {
    const { ino, birthtimeMs } = statSync(path.join(folder, inside));
    return `${ino} ${birthtimeMs}`;
  };
  /** Ends the watches of a folder and of those in it. */
  const forget = (inside: string): void => {
    for (const [each, { watcher }] of watchers)
      if (each.startsWith(inside)) {
        watcher.close();
        watchers.delete(each);
      }
  };
  const add = async (inside: string, report: boolean): Promise<void> => {
    if (closed || watchers.has(inside)) return;
    const identity = identityOf(inside); // before the watch: a folder that takes its place meanwhile is noticed later
    const watcher = watch(path.join(folder, inside));
    watchers.set(inside, { watcher, identity });
    watcher.on("change", (_, name) => {
      // A folder's own end has no name, or an empty one.
      if (name !== null && String(name) !== "") void changed(inside + String(name));
    });
    watcher.on("error", () => forget(inside));
    // What was created before the watch began.
    const entries = await readdir(path.join(folder, inside), { withFileTypes: true });
    for (const entry of entries) {
      const inner = inside + entry.name;
      if (entry.isDirectory() && !isIgnored(`${inner}/`)) await add(`${inner}/`, report);
      else if (report && !isIgnored(inner)) onChange(inner);
    }
  };
  /** Watches a new folder, or another one of its name, as after `git checkout` of a branch without it and back. */
  const follow = async (inside: string): Promise<void> => {
    try {
      if (watchers.has(inside) && watchers.get(inside)?.identity !== identityOf(inside)) forget(inside);
      // A file or a removed folder cannot be read as one.
      await add(inside, true);
    } catch {
      forget(inside);
    }
  };
  const changed = async (inner: string): Promise<void> => {
    if (closed || isIgnored(inner) || isIgnored(`${inner}/`)) return;
    onChange(inner);
    await follow(`${inner}/`);
  };

  await add("", false);
  // Only the folder around it shows that the folder itself is made again.
  const around = watch(path.dirname(path.resolve(folder)));
  around.on("change", (_, name) => {
    if (name !== null && String(name) === path.basename(path.resolve(folder))) void follow("");
  });
  around.on("error", () => around.close());
  return {
    close: () => {
      closed = true;
      around.close();
      forget("");
    },
  };
}
