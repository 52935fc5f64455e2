import { createHash } from "node:crypto";
import type { CommitOperation } from "@huggingface/hub";
import { blobSizes, committedFiles, readBlobs } from "../git/committed-files.ts";
import type { Git } from "../git/git.ts";
import { BRANCH, type RemoteStatus } from "../git/repository.ts";
import { publishRefused } from "../publish-refused.ts";
import type { HubAccount } from "./hub-account.ts";

/** The hub takes larger files, and all binary ones, through its client library only. */
const MAX_GIT_BYTES = 10 * 1024 * 1024;
/** Bytes in which git, too, looks for NUL to detect binary files. */
const SAMPLE_BYTES = 8000;
/** What the space has in the place of a large file (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\n/;
/** The hub maintains this file itself. */
const HUB_FILE = ".gitattributes";

/** Whether the commits that the space lacks write files that the hub refuses over git. */
export async function hasLargeFiles(git: Git, published: readonly string[]): Promise<boolean> {
  const files = await committedFiles(git, published);
  const sizes = await blobSizes(git, [...new Set(files.map(({ blob }) => blob))]);
  if ([...sizes.values()].some((size) => size > MAX_GIT_BYTES)) return true;
  for await (const { content } of readBlobs(git, sizes)) {
    if (content.subarray(0, SAMPLE_BYTES).includes(0)) return true;
  }
  return false;
}

interface HubCommit {
  /** Id of the space, `owner/name`. */
  space: string;
  remote: string;
  status: RemoteStatus;
  title: string;
  /** Options of git that set the author. */
  author: readonly string[];
}

/**
 * Commits the state of HEAD to the space through the hub's client library, in one commit on top of the space's newest,
 * whose description lists the local commits. HEAD then gets that commit as a parent, so that git knows both histories.
 * @throws WorkbenchError `hub-token`, `hub-unreachable`; `publish-refused` when the space has a newer commit
 */
export async function commitOnHub(
  git: Git,
  hub: HubAccount,
  { space, remote, status, title, author }: HubCommit,
): Promise<{ commit: string; pushed: boolean }> {
  const head = status.kind === "empty" ? undefined : status.head;
  const change = await changeSince(git, head);
  if (change.operations.length === 0 && head !== undefined) return { commit: head, pushed: false };
  const { commit } = await hub.commit(space, { title, ...change, parentCommit: head });
  await git.runOnHub("fetch", "--quiet", "--no-tags", remote, BRANCH);
  const message = `Publish as ${commit.slice(0, 10)}`;
  const tree = ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-p", commit, "-m", message];
  await git.run("update-ref", "HEAD", await git.run(...author, ...tree));
  return { commit, pushed: true };
}

/**
 * Opens a pull request with the state of HEAD. The space and HEAD stay as they are.
 * @throws WorkbenchError `hub-token`, `hub-unreachable`; `publish-refused` when nothing has changed
 */
export async function openPullRequest(
  git: Git,
  hub: HubAccount,
  { space, status, title }: Pick<HubCommit, "space" | "status" | "title">,
): Promise<{ commit: string; pullRequest: string | undefined }> {
  const head = status.kind === "empty" ? undefined : status.head;
  const change = await changeSince(git, head);
  if (change.operations.length === 0) throw publishRefused(`${space} has the state of this folder already.`);
  return hub.commit(space, { title, ...change, parentCommit: head, isPullRequest: true });
}

/** The changes from a commit of the space to HEAD, and the local commits that make them. */
async function changeSince(
  git: Git,
  head: string | undefined,
): Promise<{ operations: CommitOperation[]; description: string }> {
  const range = head === undefined ? ["HEAD"] : ["HEAD", `^${head}`];
  // Each subject follows a line with the id of its commit.
  const listed = await git.run("rev-list", "--no-merges", "--format=- %s", ...range);
  const subjects = listed.split("\n").filter((line) => line.startsWith("- "));
  return { operations: await operationsBetween(git, head), description: subjects.join("\n") };
}

async function operationsBetween(git: Git, head: string | undefined): Promise<CommitOperation[]> {
  const [before, after] = [await treeOf(git, head), await treeOf(git, "HEAD")];
  const changed = [...after].filter(([path, blob]) => before.get(path) !== blob);
  const blobs = changed.flatMap(([path, blob]) => [blob, before.get(path) ?? blob]);
  const contents = new Map<string, Buffer>();
  for await (const { blob, content } of readBlobs(git, await blobSizes(git, [...new Set(blobs)]))) {
    contents.set(blob, content);
  }
  const operations: CommitOperation[] = [];
  for (const [path, blob] of changed) {
    const content = contents.get(blob);
    if (content === undefined || isPointerTo(content, contents.get(before.get(path) ?? ""))) continue;
    operations.push({ operation: "addOrUpdate", path, content: new Blob([Uint8Array.from(content)]) });
  }
  for (const path of before.keys()) {
    if (!after.has(path) && path !== HUB_FILE) operations.push({ operation: "delete", path });
  }
  return operations;
}

/** Whether the space has a pointer to this content. */
function isPointerTo(content: Buffer, stored: Buffer | undefined): boolean {
  const [, oid] = POINTER.exec(stored?.toString("latin1") ?? "") ?? [];
  return oid === createHash("sha256").update(content).digest("hex");
}

/** The ids of a commit's files by path. */
async function treeOf(git: Git, commit: string | undefined): Promise<Map<string, string>> {
  if (commit === undefined) return new Map();
  const printed = (await git.runBytes(["ls-tree", "-r", "-z", commit], "")).toString("utf8");
  const files = printed.split("\0").map((line) => /^\d+ blob (\w+)\t(.*)$/s.exec(line));
  return new Map(files.flatMap((match): [string, string][] => (match ? [[match[2] ?? "", match[1] ?? ""]] : [])));
}
