import { mkdir } from "node:fs/promises";
import { git, tryGit } from "./git.ts";
import { Refusal } from "./refusal.ts";

/** One entry of a tree; `size` is in bytes and 0 for a folder. */
export interface TreeEntry {
  type: "file" | "directory";
  path: string;
  oid: string;
  size: number;
}

export interface Commit {
  id: string;
  title: string;
  message: string;
  author: string;
  /** ISO 8601. */
  date: string;
}

/** A file to write; null takes it away. */
export type Changes = ReadonlyMap<string, Uint8Array | null>;

/** The branch that everything happens on. */
export const BRANCH = "main";

/** Makes an empty bare repository. Loose refs and no clean-up in the background: nothing of it outlives a request. */
export async function initRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await git(folder, ["init", "--quiet", "--bare", `--initial-branch=${BRANCH}`]);
  for (const [name, value] of [
    ["gc.auto", "0"],
    ["receive.autogc", "false"],
  ] as const) {
    await git(folder, ["config", name, value]);
  }
}

/** The commit that a branch, tag or hash names. @throws Refusal 404 */
export async function commitAt(repository: string, revision: string): Promise<string> {
  const name = /^[\w][\w./-]*$/.test(revision) ? revision : "-";
  const found = await tryGit(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  if (found === null) throw new Refusal(404, `Invalid rev id: ${revision}`, "RevisionNotFound");
  return found;
}

/** All entries of a commit, folders included, in git's order. */
export async function treeOf(repository: string, commit: string): Promise<TreeEntry[]> {
  const printed = await git(repository, ["ls-tree", "-r", "-t", "-l", "-z", commit]);
  return printed
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, type, oid = "", size, path = ""] = /^\d+ (blob|tree) (\w+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
      if (type === undefined) return [];
      return [{ type: type === "tree" ? "directory" : "file", path, oid, size: Number(size) || 0 } as const];
    });
}

/** The content of a file. @throws Refusal 404 */
export async function fileAt(repository: string, commit: string, path: string) {
  const oid = await tryGit(repository, ["rev-parse", "--verify", "--quiet", `${commit}:${path}`]);
  if (oid === null || (await tryGit(repository, ["cat-file", "-t", oid])) !== "blob") {
    throw new Refusal(404, `${path} does not exist on ${commit}`, "EntryNotFound");
  }
  return { oid, content: await git(repository, ["cat-file", "blob", oid]) };
}

/** The newest first. */
export async function historyOf(repository: string, commit: string): Promise<Commit[]> {
  const printed = await git(repository, ["log", "-z", "--format=%H%x01%s%x01%b%x01%an%x01%aI", commit]);
  const commits = printed.toString("utf8").split("\0");
  return commits
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", title = "", message = "", author = "", date = ""] = line.split("\x01");
      return { id, title, message: message.trim(), author, date };
    });
}

/** What a commit changes, who makes it and when (milliseconds since the Unix epoch). */
export interface NewCommit {
  author: string;
  message: string;
  changes: Changes;
  /** The commit that it stands on; null for the first one. */
  parent: string | null;
  time: number;
}

/** Adds a commit to the branch by git's own import format (git-fast-import(1)). Returns its id. @throws Refusal 422 */
export async function addCommit(repository: string, { author, message, changes, parent, time }: NewCommit) {
  const lines: (string | Uint8Array)[] = [
    `commit refs/heads/${BRANCH}\n`,
    `committer ${author} <${author}@localhost> ${Math.floor(time / 1000)} +0000\n`,
    ...dataOf(Buffer.from(message)),
    ...(parent === null ? [] : [`from ${parent}\n`]),
  ];
  for (const [path, content] of changes) {
    if (!isPlainPath(path)) throw new Refusal(422, `${JSON.stringify(path)} is no path inside a repository`);
    if (content === null) lines.push(`D ${quoted(path)}\n`);
    else lines.push(`M 100644 inline ${quoted(path)}\n`, ...dataOf(content));
  }
  await git(
    repository,
    ["fast-import", "--quiet", "--date-format=raw"],
    Buffer.concat(lines.map((line) => Buffer.from(line))),
  );
  return commitAt(repository, BRANCH);
}

function dataOf(content: Uint8Array): (string | Uint8Array)[] {
  return [`data ${content.length}\n`, content, "\n"];
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Relative, without `.`, `..` or `.git` on the way, and without control characters. */
function isPlainPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (path.length > 1000 || /[\x00-\x1f\x7f]/.test(path)) return false;
  return path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));
}
