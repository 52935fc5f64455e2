import { readFile, stat } from "node:fs/promises";

/** Reads and parses files, and again only those that have changed. */
export class FileCache {
  readonly #kept = new Map<string, { version: string; value: unknown }>();

  /** The parsed file; null when there is none. */
  async read<T>(file: string, parse: (text: string) => T): Promise<T | null> {
    const found = await stat(file).catch(() => null);
    if (found?.isFile() !== true) {
      this.#kept.delete(file);
      return null;
    }
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const kept = this.#kept.get(file);
    if (kept?.version === version) return kept.value as T;
    // An installer may take the file away in this very moment.
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null) return null;
    const value = parse(text);
    this.#kept.set(file, { version, value });
    return value;
  }
}
