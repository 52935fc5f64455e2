import { type Stats, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { ifAbsent } from "../../../common/machine/absent.ts";

/** The version of a file that does not exist. */
const MISSING = "";
/**
 * Milliseconds in which two changes may get the same time: file systems count in ticks of the kernel. A content counts
 * as known when it was read this long after its version was first seen.
 */
const TICK_MS = 50;

interface Entry {
  version: string;
  value: unknown;
  firstSeenAt: number;
  isSettled: boolean;
}

/** Reads and parses files; reads a file again only when it may have changed. */
export class ParsedFileCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The parsed file; null when it does not exist. A file must always be read with the same `parse`. */
  async read<T>(file: string, parse: (text: string) => T): Promise<T | null> {
    const known = this.#entries.get(file);
    const now = this.#now();
    const version = versionOf(known === undefined ? await stat(file).catch(ifAbsent(null)) : statKnown(file));
    const isSame = known?.version === version;
    if (isSame && (known.isSettled || version === MISSING)) return known.value as T;
    // An installer may remove the file in between.
    const text = version === MISSING ? null : await readFile(file, "utf8").catch(ifAbsent(null));
    const value = text === null ? null : parse(text);
    const firstSeenAt = isSame ? known.firstSeenAt : now;
    const isSettled = isSame && now - firstSeenAt >= TICK_MS;
    this.#entries.set(file, { version: text === null ? MISSING : version, value, firstSeenAt, isSettled });
    return value;
  }
}

/** Installers can set the time of the last change, but not `ctime`. */
function versionOf(found: Stats | null): string {
  return found?.isFile() === true ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : MISSING;
}

/** Blocks, but for some microseconds: the system has a file in its cache that was looked at before. */
function statKnown(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return ifAbsent(null)(error);
  }
}
