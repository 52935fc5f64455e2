import { basename, dirname } from "node:path";
import { execa } from "execa";
import { cancelSignalOption } from "../../common/machine/load-execa.ts";
import { textForModel } from "../apply/file.ts";

export const HISTORY_SOURCES = ["auto", "session", "git", "none"] as const;
export type HistorySource = (typeof HISTORY_SOURCES)[number];

/** Limit of all older versions together, in characters; the oldest are left out first. */
const MAX_CHARACTERS = 100_000;

/** Sources and limits of a file's older versions. */
interface PastVersionsOptions {
  source: HistorySource;
  /** Maximum number of versions. */
  limit: number;
  /** The texts before each edit, oldest first; null where the file did not exist. */
  journal: readonly (string | null)[];
  signal: AbortSignal;
}

/**
 * Finds older versions of a file, oldest first, each different from the next and the last one from `current`. `auto` uses
 * the journal of edits, and git when the journal is empty.
 */
export async function pastVersions(file: string, current: string, past: PastVersionsOptions): Promise<string[]> {
  const { source, limit, journal, signal } = past;
  const session = source === "none" || source === "git" ? [] : journal.flatMap((before) => before ?? []);
  const wanted = session.length === 0 && (source === "auto" || source === "git");
  const versions = wanted ? await committedVersions(file, limit, signal) : session;
  const chain: string[] = [];
  let [next, room] = [textForModel(current), MAX_CHARACTERS];
  for (const version of versions.map(textForModel).reverse()) {
    room -= version.length;
    if (chain.length >= limit || room < 0) break;
    if (version === next) continue;
    chain.unshift(version);
    next = version;
  }
  return chain;
}

/**
 * The committed versions of a file, oldest first; none without git or a repository. The repository may be a stranger's: these
 * commands of git start no program that its configuration names, and fetch nothing that it leaves out.
 */
async function committedVersions(file: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const options = {
    cwd: dirname(file),
    env: { GIT_ALLOW_PROTOCOL: "none" },
    reject: false,
    stripFinalNewline: false,
    ...cancelSignalOption(signal),
  } as const;
  const name = basename(file);
  const log = await execa("git", ["rev-list", `-${limit + 1}`, "HEAD", "--", name], options);
  if (log.exitCode !== 0) return [];
  const revisions = log.stdout.split("\n").filter((line) => line !== "");
  const contents = await Promise.all(
    revisions.map((revision) => execa("git", ["cat-file", "blob", `${revision}:./${name}`], options)),
  );
  return contents
    .filter(({ exitCode }) => exitCode === 0)
    .map(({ stdout }) => stdout)
    .reverse();
}
