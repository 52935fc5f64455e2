import { dirname } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { hashText } from "../apply/apply.ts";
import { NO_FILE } from "../apply/file.ts";
import type { Disk } from "../write/disk.ts";
import { hashAt, putBack, replaceFile } from "../write/replace-file.ts";
import { cannotBeWritten, changedSinceRead, partsOf } from "../write/write-source.ts";
import type { JournalRecord, RecordedFile } from "./journal-records.ts";

const hashBefore = ({ before }: RecordedFile): string => (before === null ? NO_FILE : hashText(before));

/** The writing of a record's files: all of them, or none. */
export class RecordedWrite {
  readonly #disk: Disk;
  readonly #files: (RecordedFile & ReturnType<typeof partsOf>)[];

  /** @param name of the record */
  constructor(disk: Disk, name: string, { files }: JournalRecord) {
    this.#disk = disk;
    this.#files = files.map((file, index) => ({ ...file, ...partsOf(dirname(file.path), name, index) }));
  }

  /**
   * Writes all files; what stood in their places is beside them until `clear`.
   * @param texts one for each file; null deletes it
   * @throws WorkbenchError `edit-refused` when a file changed since it was read, or cannot be written
   */
  async write(texts: readonly (string | null)[]): Promise<void> {
    const disk = this.#disk;
    for (const [index, file] of this.#files.entries()) {
      const text = texts[index] ?? null;
      await attributed(file, async () => {
        if (hashAt(disk, file.path) !== hashBefore(file)) throw changedSinceRead(file.path);
        if (text === null) return;
        disk.makeFolder(dirname(file.path));
        await disk.create(file.next, text, file.path);
      });
    }
    for (const [index, file] of this.#files.entries()) {
      const next = texts[index] === null ? null : file.next;
      await attributed(file, async () => {
        if (!replaceFile(disk, file.path, hashBefore(file), next, file.aside)) throw changedSinceRead(file.path);
      });
    }
    for (const folder of new Set(this.#files.map(({ path }) => dirname(path)))) await disk.flush(folder);
    this.#requireUntouched();
  }

  /** A program that had a file open may have saved into what stands aside now. */
  #requireUntouched(): void {
    for (const file of this.#files)
      if (hashBefore(file) !== NO_FILE && hashAt(this.#disk, file.aside) !== hashBefore(file))
        throw changedSinceRead(file.path);
  }

  /** Whether every file has what the record says. */
  isComplete(): boolean {
    try {
      this.#requireUntouched();
    } catch (error) {
      if (error instanceof WorkbenchError) return false;
      throw error;
    }
    return this.#files.every(({ path, after }) => hashAt(this.#disk, path) === after);
  }

  /** Removes what stands beside the files of a complete write; a text that nobody knows stays. */
  clear(): void {
    for (const file of this.#files) {
      this.#removeKnown(file, file.aside);
      this.#disk.remove(file.next);
      if (file.after === NO_FILE) this.#removeFolders(file);
    }
  }

  /**
   * Gives every file back what it had before. A file that another program has saved since stays as it is.
   * @returns the paths of those @throws Error of the file system
   */
  async takeBack(): Promise<string[]> {
    const disk = this.#disk;
    const others: string[] = [];
    for (const file of [...this.#files].reverse()) {
      const { path, after, aside, undone } = file;
      const before = hashBefore(file);
      if (hashAt(disk, path) === NO_FILE) this.#restoreMissing(file);
      if (after !== before && after !== NO_FILE && hashAt(disk, path) === after) {
        if (file.before !== null && disk.read(aside) === null) await disk.create(aside, file.before, path);
        replaceFile(disk, path, after, file.before === null ? null : aside, undone);
      }
      for (const part of [aside, undone]) this.#removeKnown(file, part);
      disk.remove(file.next);
      if (before === NO_FILE) this.#removeFolders(file);
      if (hashAt(disk, path) !== before) others.push(path);
    }
    for (const folder of new Set(this.#files.map(({ path }) => dirname(path))))
      if (disk.list(folder).length > 0) await disk.flush(folder);
    return others;
  }

  /** A file that was taken aside when the machine stopped, or that is deleted by the write: the newest text that stands beside it. */
  #restoreMissing({ path, aside, undone, ...file }: RecordedFile & ReturnType<typeof partsOf>): void {
    const saved = [undone, aside].find((part) => {
      const hash = hashAt(this.#disk, part);
      return hash !== NO_FILE && (part === aside || hash !== file.after);
    });
    if (saved !== undefined) putBack(this.#disk, saved, path);
  }

  #removeKnown(file: RecordedFile, part: string): void {
    const hash = hashAt(this.#disk, part);
    const known = [hashBefore(file), file.after, hashAt(this.#disk, file.path)];
    if (hash !== NO_FILE && known.includes(hash)) this.#disk.remove(part);
  }

  /** Removes the folders that were made for a file, as far as they are empty. */
  #removeFolders({ path, newFolder }: RecordedFile): void {
    if (newFolder === undefined || hashAt(this.#disk, path) !== NO_FILE) return;
    for (let folder = dirname(path); folder.startsWith(newFolder); folder = dirname(folder))
      this.#disk.removeFolder(folder);
  }
}

/** Names the file in an error of the file system. */
async function attributed({ path }: RecordedFile, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw error instanceof WorkbenchError ? error : cannotBeWritten(path, error);
  }
}
