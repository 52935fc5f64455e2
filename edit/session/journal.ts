import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  acquireLock,
  holderName,
  isAcquired,
  type LockHolder,
  type ProcessLock,
} from "../../common/files/process-lock.ts";
import { userFolder } from "../../common/machine/user-folders.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { hashText } from "../apply/apply.ts";
import { type Change, NO_FILE, readPossibleSource, type SourceFile } from "../apply/file.ts";
import { DISK, type Disk } from "../write/disk.ts";
import { type JournalRecord, JournalRecords, type NamedRecord, type RecordedFile } from "./journal-records.ts";
import { RecordedWrite } from "./recorded-write.ts";

/** When and why an edit is made. */
type Made = Pick<JournalRecord, "time" | "instruction">;

/** What became of an edit, or an undo, whose write was interrupted. */
export interface RecoveredEdit extends Made {
  isUndo: boolean;
  /** `stuck` when it can be neither finished nor taken back now; `reason` says why. */
  outcome: "finished" | "taken-back" | "stuck";
  files: string[];
  /** Of `files`, those that another program has saved since: they have that text. */
  savedByOthers: string[];
  reason: string;
}

interface JournalOptions {
  disk?: Disk;
  /** Gets what became of interrupted edits, which are settled before anything else is written. */
  notify?(recovered: RecoveredEdit): void;
}

/** Milliseconds that a writer waits for another one, which needs a moment for its files. */
const LOCK_MS = 30_000;

/** Folder of the journal: `$XDG_STATE_HOME/robot-app-assistant`, by default below `~/.local/state`. */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  return userFolder("state", "robot-app-assistant", env);
}

/** An edit that is done, with the name of its record. */
interface DoneEdit extends JournalRecord {
  name: string;
}

/** The edits that can be undone, oldest first; their paths are real paths. */
export const readEdits = (folder: string): DoneEdit[] =>
  new JournalRecords(folder).list("done").flatMap(({ name, record }) => (record === null ? [] : [{ ...record, name }]));

/** The texts of a file before each of its edits, oldest first; null where it did not exist. */
export async function readJournal(folder: string, { path }: Pick<SourceFile, "path">): Promise<(string | null)[]> {
  const file = await realPlace(path);
  return readEdits(folder).flatMap(({ files }) =>
    files.filter((each) => each.path === file).map(({ before }) => before),
  );
}

/**
 * Writes an edit of one or several files, all or none, so that it can be undone. Its record is on the disk before the first
 * file changes; when the machine stops meanwhile, the next write or `recoverEdits` finishes it or takes it back.
 * @throws WorkbenchError `edit-refused` when the journal or a file cannot be written, a file changed since it was read, or
 *   another process does not end its own write
 */
export async function writeEdit(
  folder: string,
  edits: readonly { source: SourceFile; result: string | null }[],
  made: Made,
  options: JournalOptions = {},
): Promise<void> {
  const changes = edits.map(({ source, result }) => ({ source, text: result }));
  await locked(folder, options, (journal) => journal.write(changes, made));
}

interface LastEdit {
  edit: DoneEdit;
  /** What to write to undo it. */
  changes: Change[];
}

/**
 * Finds the last edit of a file, with all of its files.
 * @returns undefined when there is none
 * @throws WorkbenchError `edit-refused` when one of its files changed since: an undo would lose that change
 */
export async function findLastEdit(folder: string, path: string): Promise<LastEdit | undefined> {
  const file = await realPlace(path);
  const edit = readEdits(folder).findLast(({ files }) => files.some((each) => each.path === file));
  if (edit === undefined) return undefined;
  const changes: Change[] = [];
  for (const { path, after, before } of edit.files) {
    const source = await readPossibleSource(path);
    if (source.hash !== after) {
      const detail = `${path} has changed since the edit of ${edit.time}; an undo would lose that change.`;
      throw new WorkbenchError("edit-refused", detail);
    }
    changes.push({ source, text: before });
  }
  return { edit, changes };
}

/**
 * Undoes an edit in all of its files, or in none.
 * @throws WorkbenchError `edit-refused` when it is undone already, and as `writeEdit`
 */
export async function undoEdit(folder: string, last: LastEdit, options: JournalOptions = {}): Promise<void> {
  const { edit, changes } = last;
  await locked(folder, options, async (journal) => {
    if (!readEdits(folder).some(({ name }) => name === edit.name))
      throw new WorkbenchError("edit-refused", `The edit of ${edit.time} is undone already.`);
    await journal.write(changes, edit, edit);
  });
}

/** Finishes edits that were interrupted, or takes them back. Does nothing while another process writes. */
export async function recoverEdits(folder: string, options: JournalOptions = {}): Promise<void> {
  if (!new JournalRecords(folder, options.disk).hasUnfinished) return;
  const lock = await acquireLock(lockOf(folder), LOCK_NOTE);
  if (!isAcquired(lock)) return;
  try {
    await new LockedJournal(folder, options).recover();
  } finally {
    await lock.release();
  }
}

/** The journal, in the hands of the one process that may write. */
class LockedJournal {
  readonly #disk: Disk;
  readonly #records: JournalRecords;
  readonly #notify: NonNullable<JournalOptions["notify"]>;
  /** Files of edits that can be neither finished nor taken back now, with the reasons. */
  readonly #stuck = new Map<string, string>();

  constructor(folder: string, { disk = DISK, notify = () => {} }: JournalOptions) {
    this.#disk = disk;
    this.#records = new JournalRecords(folder, disk);
    this.#notify = notify;
  }

  /** @param undone the edit that these changes take back */
  async write(changes: readonly Change[], { time, instruction }: Made, undone?: DoneEdit): Promise<void> {
    const files: RecordedFile[] = [];
    for (const { source, text } of changes) {
      const path = await realPlace(source.path);
      const stuck = this.#stuck.get(path);
      if (stuck !== undefined) throw new WorkbenchError("edit-refused", stuck);
      const before = source.hash === NO_FILE ? null : source.text;
      const newFolder = undone?.files.find((file) => file.path === path)?.newFolder ?? (await newFolderOf(path));
      files.push({ path, before, after: text === null ? NO_FILE : hashText(text), newFolder });
    }
    const record = { time, instruction, files, undoes: undone?.name };
    const name = await this.#records.begin(record);
    const write = new RecordedWrite(this.#disk, name, record);
    try {
      await write.write(changes.map(({ text }) => text));
    } catch (error) {
      await write.takeBack().catch((cause: Error) => {
        const then = `What was written cannot be taken back now (${cause.message}); the next edit takes it back first.`;
        throw new WorkbenchError("edit-refused", `${(error as Error).message} ${then}`, { cause });
      });
      this.#records.remove({ name, state: "begun" });
      throw error;
    }
    this.#records.move({ name, state: "begun" }, "written");
    this.#finish(name, record, write);
  }

  async recover(): Promise<void> {
    for (const interrupted of [...this.#records.list("written"), ...this.#records.list("begun")])
      await this.#settle(interrupted);
  }

  async #settle({ name, state, record }: NamedRecord): Promise<void> {
    if (record === null) return this.#records.move({ name, state }, "damaged");
    const { time, instruction, undoes } = record;
    const files = record.files.map(({ path }) => path);
    const recovered = { time, instruction, isUndo: undoes !== undefined, files, savedByOthers: [], reason: "" };
    const write = new RecordedWrite(this.#disk, name, record);
    try {
      const isComplete = state === "written" || write.isComplete();
      if (isComplete) {
        if (state === "begun") this.#records.move({ name, state }, "written");
        this.#finish(name, record, write);
        return this.#notify({ ...recovered, outcome: "finished" });
      }
      const savedByOthers = await write.takeBack();
      this.#records.remove({ name, state });
      this.#notify({ ...recovered, outcome: "taken-back", savedByOthers });
    } catch (error) {
      const stuck = { ...recovered, outcome: "stuck" as const, reason: (error as Error).message };
      for (const file of files) this.#stuck.set(file, formatRecovered(stuck));
      this.#notify(stuck);
    }
  }

  #finish(name: string, { undoes }: JournalRecord, write: RecordedWrite): void {
    write.clear();
    if (undoes === undefined) this.#records.move({ name, state: "written" }, "done");
    else {
      this.#records.remove({ name: undoes, state: "done" });
      this.#records.remove({ name, state: "written" });
    }
    this.#records.prune();
  }
}

/** What became of an interrupted edit, for people. @param nameOf how a path is shown */
export function formatRecovered(
  { time, instruction, isUndo, outcome, files, savedByOthers, reason }: RecoveredEdit,
  nameOf = (path: string): string => path,
): string {
  const why = instruction === "" ? "" : ` (${JSON.stringify(instruction)})`;
  const names = files.map(nameOf).join(", ");
  const what = `The ${isUndo ? "undo of the edit" : "edit"} of ${time}${why} was interrupted while it was written.`;
  if (outcome === "finished") return `${what} It was finished: ${names}.`;
  if (outcome === "stuck")
    return `${what} It cannot be taken back now (${reason}): make ${names} writable, and try again.`;
  const others = savedByOthers.map(nameOf).join(", ");
  const kept = others === "" ? "" : ` Saved by another program since, and left as it is: ${others}.`;
  return `${what} It was taken back: ${names}.${kept}`;
}

const LOCK_NOTE = "writes an edit";
const lockOf = (folder: string): string => join(folder, "writer");

/** Runs a write when no other process writes, and settles interrupted ones before. */
async function locked<T>(
  folder: string,
  options: JournalOptions,
  work: (journal: LockedJournal) => Promise<T>,
): Promise<T> {
  let holder: LockHolder | undefined;
  let lock: ProcessLock | undefined;
  try {
    lock = await waitFor(LOCK_MS, "the journal's lock", async () => {
      const result = await acquireLock(lockOf(folder), LOCK_NOTE);
      if (isAcquired(result)) return result;
      holder = result;
      return undefined;
    });
    const journal = new LockedJournal(folder, options);
    await journal.recover();
    return await work(journal);
  } catch (cause) {
    if (cause instanceof WorkbenchError) throw cause;
    throw lock === undefined && holder !== undefined ? isHeld(holder) : cannotRecord(folder, cause);
  } finally {
    await lock?.release();
  }
}

const isHeld = (holder: LockHolder): WorkbenchError =>
  new WorkbenchError(
    "edit-refused",
    `${holderName(holder)} has been writing an edit for ${LOCK_MS / 1000} s. Nothing was written; try again when it has ended.`,
  );

function cannotRecord(folder: string, cause: unknown): WorkbenchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = "Make that folder writable, or name another one with XDG_STATE_HOME.";
  const detail = `The journal of edits in ${folder} cannot be written (${reason}). ${advice}`;
  return new WorkbenchError("edit-refused", detail, { cause });
}

/** The place of a file after links, also of one that does not exist yet. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPlace(dirname(path)), basename(path));
}

/** The first folder that has to be made for a new file. */
async function newFolderOf(path: string): Promise<string | undefined> {
  let newFolder: string | undefined;
  for (let folder = dirname(path); !(await isThere(folder)); folder = dirname(folder)) newFolder = folder;
  return newFolder;
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
