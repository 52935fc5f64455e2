import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Objects } from "./objects.ts";

/** Begins the names of files that are being written, which are no objects. */
const UNFINISHED = ".";

/** Objects as files, on one machine or on a file system with hard links that several share. Throws the errors of Node. */
export class FolderObjects implements Objects {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  addressOf(name: string): string {
    return join(this.#folder, name);
  }

  get(name: string): Promise<string | null> {
    return readFile(this.addressOf(name), "utf8").catch(ifMissing(null));
  }

  async put(name: string, body: Uint8Array | string, onlyNew = false): Promise<boolean> {
    const file = this.addressOf(name);
    const folder = dirname(file);
    await mkdir(folder, { recursive: true });
    const written = join(folder, UNFINISHED + randomUUID());
    try {
      await writeFile(written, body, { flush: true });
      // Unlike a rename, a link replaces nothing.
      await (onlyNew ? link(written, file) : rename(written, file));
    } catch (error) {
      if (!onlyNew || (error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    } finally {
      await rm(written, { force: true });
    }
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
    return true;
  }

  delete(name: string): Promise<void> {
    return rm(this.addressOf(name), { force: true });
  }

  async list(folder: string): Promise<string[]> {
    const names = await readdir(this.addressOf(folder)).catch(ifMissing([]));
    return names.filter((name) => !name.startsWith(UNFINISHED));
  }
}

/** For `catch`: a value where there is no such file or folder. */
function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
