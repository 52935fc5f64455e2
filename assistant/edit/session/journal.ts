import { mkdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { hashText } from "../apply/apply.ts";

const Entry = z.object({
  time: z.string(),
  instruction: z.string(),
  before: z.string(),
  /** Hash of the file's bytes after the edit: undone only while the file is still that. */
  after: z.string(),
});
/** One applied edit. */
export type Entry = z.infer<typeof Entry>;

/** More than anyone goes back, and the file of one app stays small. */
const KEPT = 50;

/** Where the journals are kept: `$XDG_STATE_HOME/robot-app-assistant`, by default below `~/.local/state`. */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state"), "robot-app-assistant");
}

/** The edits applied to a file, oldest first; a journal that cannot be read counts as empty. */
export async function readJournal(folder: string, file: string): Promise<Entry[]> {
  const text = await readFile(pathOf(folder, file), "utf8").catch(() => "[]");
  try {
    return z.array(Entry).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Replaces a file's journal, keeping the latest entries. */
export async function writeJournal(folder: string, file: string, entries: readonly Entry[]): Promise<void> {
  const path = pathOf(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, `${JSON.stringify(entries.slice(-KEPT))}\n`, { mode: 0o600 });
}

const pathOf = (folder: string, file: string) => join(folder, `${hashText(file).slice(0, 16)}.json`);
