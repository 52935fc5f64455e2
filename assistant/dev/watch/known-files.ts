import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

/** Knows which files there were, so that files that editors create and remove again within a save do not count. */
export class KnownFiles {
  readonly #folder: string;
  readonly #files = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the files of the folder that are not ignored. */
  async add(isIgnored: (path: string) => boolean, inside = ""): Promise<void> {
    for (const entry of await readdir(path.join(this.#folder, inside), { withFileTypes: true })) {
      const inner = inside + entry.name;
      if (entry.isDirectory() && !isIgnored(`${inner}/`)) await this.add(isIgnored, `${inner}/`);
      else if (entry.isFile() && !isIgnored(inner)) this.#files.add(inner);
    }
  }

  /** The changed files that exist, and those that existed before. */
  async settle(changed: readonly string[]): Promise<string[]> {
    return changed.filter((file) => {
      if (existsSync(path.join(this.#folder, file))) return this.#files.add(file);
      return this.#files.delete(file);
    });
  }
}
