import { readFile, stat } from "node:fs/promises";

/** Reads and parses files; parses a file again only when it has changed. */
export class FileCache {
  readonly #entries = new Map<string, { version: string; value: unknown }>();

  /** The parsed file; null when it does not exist. A file must always be read with the same `parse`. */
  async read<T>(file: string, parse: (text: string) => T): Promise<T | null> {
    const found = await stat(file).catch(() => null);
    if (found?.isFile() !== true) {
      this.#entries.delete(file);
      return null;
    }
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const entry = this.#entries.get(file);
    if (entry?.version === version) return entry.value as T;
    // An installer may remove the file in between.
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null) return null;
    const value = parse(text);
    this.#entries.set(file, { version, value });
    return value;
  }
}
