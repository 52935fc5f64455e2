import { basename, dirname } from "node:path";
import { execa } from "execa";
import { shownText } from "../apply/file.ts";
import type { Entry } from "./journal.ts";

export const HISTORY_SOURCES = ["auto", "session", "git", "none"] as const;
export type HistorySource = (typeof HISTORY_SOURCES)[number];

/** Older versions beyond this many characters together are left out, the oldest first. */
const MAX_CHARACTERS = 100_000;

/** What there is to take a file's older versions from. */
export interface Past {
  source: HistorySource;
  /** How many versions at most. */
  limit: number;
  journal: readonly Entry[];
  signal: AbortSignal;
}

/**
 * Older versions of a file, oldest first, each different from the next and the last one from `current`. `auto` takes
 * those of this tool's own edits, and git's when there are none.
 */
export async function pastVersions(file: string, current: string, past: Past): Promise<string[]> {
  const { source, limit, journal, signal } = past;
  const session = source === "none" || source === "git" ? [] : journal.map(({ before }) => before);
  const wanted = session.length === 0 && (source === "auto" || source === "git");
  const versions = wanted ? await committed(file, limit, signal) : session;
  const chain: string[] = [];
  let [next, room] = [shownText(current), MAX_CHARACTERS];
  for (const version of versions.map(shownText).reverse()) {
    room -= version.length;
    if (chain.length >= limit || room < 0) break;
    if (version === next) continue;
    chain.unshift(version);
    next = version;
  }
  return chain;
}

/** The committed versions of a file, oldest first; none where git or a repository is missing. */
async function committed(file: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const options = { cwd: dirname(file), reject: false, stripFinalNewline: false, cancelSignal: signal } as const;
  const name = basename(file);
  const log = await execa("git", ["log", `-${limit + 1}`, "--format=%H", "--", name], options);
  if (log.exitCode !== 0) return [];
  const revisions = log.stdout.split("\n").filter((line) => line !== "");
  const shown = await Promise.all(
    revisions.map((revision) => execa("git", ["show", `${revision}:./${name}`], options)),
  );
  return shown
    .filter(({ exitCode }) => exitCode === 0)
    .map(({ stdout }) => stdout)
    .reverse();
}
