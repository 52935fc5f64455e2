import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { Objects } from "./objects.ts";

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
    await mkdir(dirname(file), { recursive: true });
    if (onlyNew) return writeIfNew(file, body);
    await writeFileAtomic(file, Buffer.from(body));
    return true;
  }

  delete(name: string): Promise<void> {
    return rm(this.addressOf(name), { force: true });
  }

  list(folder: string): Promise<string[]> {
    return readdir(this.addressOf(folder)).catch(ifMissing([]));
  }

  deleteFolder(folder: string): Promise<void> {
    return rm(this.addressOf(folder), { recursive: true, force: true });
  }
}

async function writeIfNew(file: string, body: Uint8Array | string): Promise<boolean> {
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, body, { flush: true });
    // Unlike a rename, a link replaces nothing.
    await link(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(written, { force: true });
  }
  const folder = await open(dirname(file), "r");
  await folder.sync().finally(() => folder.close());
  return true;
}

/** For `catch`: a value where there is no such file or folder. */
function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
