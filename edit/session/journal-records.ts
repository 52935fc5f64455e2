import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { DISK, type Disk } from "../write/disk.ts";

/** An edit of one or several files, or its undo. */
const JournalRecord = z.object({
  time: z.string(),
  instruction: z.string(),
  files: z.array(
    z.object({
      /** Real path. */
      path: z.string(),
      /** The text before; null for a file that did not exist. */
      before: z.string().nullable(),
      /** Hash of the file's bytes afterwards; `NO_FILE` for one that is deleted. */
      after: z.string(),
      /** The first folder that is made for a new file; it goes with the file when it is empty. */
      newFolder: z.string().optional(),
    }),
  ),
  /** The name of the record that is undone. */
  undoes: z.string().optional(),
});
export type JournalRecord = z.infer<typeof JournalRecord>;
export type RecordedFile = JournalRecord["files"][number];

/**
 * `begun`: files are being written. `written`: all are, and what stands beside them goes. `done`: it can be undone.
 * Renaming the record is what moves it from one state to the next.
 */
type State = "begun" | "written" | "done";
export interface NamedRecord {
  name: string;
  state: State;
  /** Null when it cannot be read. */
  record: JournalRecord | null;
}

/** What is kept: the latest edits. */
const [MAX_EDITS, MAX_CHARACTERS] = [100, 50_000_000];

/** The records of edits in a folder, each a file of JSON. Who changes them holds the folder's lock. */
export class JournalRecords {
  readonly #folder: string;
  readonly #disk: Disk;

  constructor(folder: string, disk: Disk = DISK) {
    this.#folder = join(folder, "edits");
    this.#disk = disk;
  }

  /** Whether a write was interrupted, or is under way. */
  get hasUnfinished(): boolean {
    return this.#names().some((name) => /\.(?:begun|written)$/.test(name));
  }

  /** The records in a state, oldest first. */
  list(state: State): NamedRecord[] {
    const names = this.#names().filter((name) => name.endsWith(`.${state}`));
    return names.map((file) => ({ name: file.slice(0, -state.length - 1), state, record: this.#read(file) }));
  }

  /** Saves a record before anything is written. @returns its name @throws Error of the file system */
  async begin(record: JournalRecord): Promise<string> {
    this.#disk.makeFolder(this.#folder);
    const last = Number.parseInt(this.#names().at(-1) ?? "0", 10);
    const name = `${String(last + 1).padStart(10, "0")}-${randomBytes(4).toString("hex")}`;
    const draft = this.#path(`${name}.draft`);
    await this.#disk.create(draft, JSON.stringify(record));
    this.#disk.rename(draft, this.#path(`${name}.begun`));
    await this.#disk.flush(this.#folder);
    return name;
  }

  move({ name, state }: Pick<NamedRecord, "name" | "state">, to: State | "damaged"): void {
    this.#disk.rename(this.#path(`${name}.${state}`), this.#path(`${name}.${to}`));
  }

  remove({ name, state }: Pick<NamedRecord, "name" | "state">): void {
    this.#disk.remove(this.#path(`${name}.${state}`));
  }

  /** Removes records that were never begun, and the oldest ones that are done. */
  prune(): void {
    for (const name of this.#names()) if (name.endsWith(".draft")) this.#disk.remove(this.#path(name));
    let room = MAX_CHARACTERS;
    for (const [index, { name, state, record }] of this.list("done").reverse().entries()) {
      room -= record?.files.reduce((sum, { before }) => sum + (before?.length ?? 0), 0) ?? 0;
      if (index > 0 && (index >= MAX_EDITS || room < 0)) this.remove({ name, state });
    }
  }

  #names = (): string[] => this.#disk.list(this.#folder).sort();
  #path = (name: string): string => join(this.#folder, name);

  /** @throws Error of the file system: a record that cannot be read now is not damaged */
  #read(file: string): JournalRecord | null {
    const text = new TextDecoder().decode(this.#disk.read(this.#path(file)) ?? undefined);
    try {
      return JournalRecord.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }
}
