import {
  chownSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { flushEntry } from "../../common/files/flush.ts";
import { ensureFolder } from "../../common/files/make-folder.ts";

/**
 * What the writing of edits asks of a file system. After each of these steps the machine may stop, and before each another
 * program may save a file. Steps that must follow each other without a pause block.
 */
export interface Disk {
  /** The content of a file; null when there is none. */
  read(file: string): Uint8Array | null;
  /** Names of what is in a folder; none when it does not exist. */
  list(folder: string): string[];
  /** Makes a new file that is on the disk when this resolves. @param like a file whose owner and permissions it gets */
  create(file: string, text: string, like?: string): Promise<void>;
  rename(from: string, to: string): void;
  /** Gives a file a second name. False when there is something of that name. */
  link(from: string, to: string): boolean;
  /** Removes a file, if there is one. */
  remove(file: string): void;
  makeFolder(folder: string): void;
  /** Removes a folder if it is empty. */
  removeFolder(folder: string): void;
  /** Settles when the names in a folder are on the disk. */
  flush(folder: string): Promise<void>;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";
const NOT_THERE = ["ENOENT", "ENOTDIR"];
/** What file systems say that have one name for a file. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function unlessMissing<T>(read: () => T, missing: T): T {
  try {
    return read();
  } catch (error) {
    if (NOT_THERE.includes(codeOf(error))) return missing;
    throw error;
  }
}

export const DISK: Disk = {
  read: (file) => unlessMissing<Uint8Array | null>(() => readFileSync(file), null),
  list: (folder) => unlessMissing(() => readdirSync(folder), []),
  async create(file, text, like) {
    const found = like === undefined ? undefined : statSync(like, { throwIfNoEntry: false });
    const handle = await open(file, "wx", like === undefined ? 0o600 : 0o666);
    try {
      await handle.writeFile(text);
      if (found !== undefined) await handle.chmod(found.mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (found !== undefined) keepOwner(file, found);
  },
  rename: renameSync,
  link(from, to) {
    try {
      linkSync(from, to);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (!NO_LINKS.includes(codeOf(error))) throw error;
      if (existsSync(to)) return false;
      renameSync(from, to);
    }
    return true;
  },
  remove: (file) => unlessMissing(() => rmSync(file), undefined),
  makeFolder: ensureFolder,
  removeFolder(folder) {
    try {
      rmdirSync(folder);
    } catch {
      // It does not exist, or there is something in it.
    }
  },
  flush: flushEntry,
};

/** Where the system lets this user do so. */
function keepOwner(file: string, { uid, gid }: { uid: number; gid: number }): void {
  const own = statSync(file);
  if (own.uid === uid && own.gid === gid) return;
  try {
    chownSync(file, uid, gid);
  } catch {
    // It is this user's then.
  }
}
