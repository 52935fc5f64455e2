import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { claim, holderOf, isClaim, type Rival } from "./claim.ts";
import { makeDataDir, unusable } from "./make.ts";

/** What a program uses a data folder for. */
const Use = z.object({
  doing: z.enum(["daemon", "install"]),
  /** Where a daemon is reached; null before its port is open. */
  url: z.string().nullable(),
  /** The apps' Python environment that it uses. */
  venv: z.string().nullable(),
});
export type Use = z.infer<typeof Use>;

/** A data folder that this program alone uses. */
export interface DataFolder {
  /** Tells others how this program is reached. */
  tell(use: Use): Promise<void>;
  close(): Promise<void>;
}

/** Another program that uses the data folder. */
export interface Occupant extends Use {
  pid: number;
}

export interface Patience {
  signal: AbortSignal;
  /** Told once that somebody else's install must end first. */
  onWait(message: string): void;
}

/** Milliseconds from one look at a folder in use to the next. */
const LOOK_MS = 100;

/**
 * Takes a data folder into use: makes it when it is not there, waits while another program installs into it, and takes
 * away files that a killed program was still writing.
 *
 * @throws WorkbenchError `usage` when it cannot be made or written to, `data-folder-in-use` while a daemon runs on it;
 *   the signal's reason
 */
export async function openDataFolder(folder: string, use: Use, { signal, onWait }: Patience): Promise<DataFolder> {
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted();
    const entered = await enterDataFolder(folder, use);
    if ("close" in entered) return entered;
    if (entered.doing === "daemon") throw inUse(folder, entered);
    if (!waited) onWait(`Process ${entered.pid} is installing into ${folder}; waiting until it is done.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** The folder, or who uses it. Throws WorkbenchError `usage` as `openDataFolder` does. */
export async function enterDataFolder(folder: string, use: Use): Promise<DataFolder | Occupant> {
  makeDataDir(folder);
  const claimed = await claim(claimsOf(folder), JSON.stringify(use)).catch((error) => {
    throw unusable(folder, error);
  });
  if (!isClaim(claimed)) return occupantOf(claimed);
  await sweepHalfWritten(folder);
  return { tell: (other) => claimed.note(JSON.stringify(other)), close: claimed.release };
}

/** Who uses the folder at this moment; null when nobody does. */
export async function occupantIn(folder: string): Promise<Occupant | null> {
  const rival = await holderOf(claimsOf(folder));
  return rival === null ? null : occupantOf(rival);
}

/** What somebody is told who cannot have the folder because of a daemon. */
export function inUse(folder: string, { pid, url }: Occupant): WorkbenchError {
  const place = url === null ? "" : ` at ${url}`;
  return new WorkbenchError(
    "data-folder-in-use",
    `A robot-daemon (process ${pid})${place} uses the data folder ${folder}. Use that one, end it (kill ${pid}), or name another folder with --data-dir.`,
  );
}

const claimsOf = (folder: string): string => path.join(folder, "in-use");

/** A note that is only being written tells nothing yet; a daemon is what it mostly is. */
function occupantOf({ pid, note }: Rival): Occupant {
  const use = Use.safeParse(parse(note));
  return { pid, ...(use.success ? use.data : { doing: "daemon" as const, url: null, venv: null }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a file is written as before it takes its name; see `write-file-atomic`. */
const HALF_WRITTEN = /^(.+\.json|access-token)\.\d+$/;

async function sweepHalfWritten(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => HALF_WRITTEN.test(name));
  await Promise.all(left.map((name) => rm(path.join(folder, name), { force: true })));
}
