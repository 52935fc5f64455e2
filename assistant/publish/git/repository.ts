import { realpath } from "node:fs/promises";
import { publishRefused } from "../publish-refused.ts";
import type { Git } from "./git.ts";

/** The branch of a space that the hub shows and the daemon installs from. */
export const BRANCH = "main";

/**
 * Whether the folder is a git repository of its own already.
 * @throws WorkbenchError `publish-refused` when it is part of a larger one
 */
export async function isRepository(git: Git, folder: string): Promise<boolean> {
  const top = await git.tryRun("rev-parse", "--show-toplevel");
  if (top === (await realpath(folder))) return true;
  if (top === null || (await git.run("ls-files", "--", ".")) === "") return false;
  const next = "Move it to another folder, or remove it from that repository (git rm -r --cached).";
  throw publishRefused(`${folder} is part of the git repository ${top}, and a space needs one of its own. ${next}`);
}

export async function initRepository(git: Git): Promise<void> {
  await git.run("init", "--quiet", `--initial-branch=${BRANCH}`);
}

/** The remotes that are spaces of a hub: names by address. */
export async function spaceRemotes(git: Git, hubUrl: string): Promise<Map<string, string>> {
  const printed = (await git.tryRun("config", "--get-regexp", "^remote\\..*\\.url$")) ?? "";
  const found = printed.split("\n").map((line) => /^remote\.(.*)\.url (.*?)(?:\.git)?\/?$/.exec(line));
  const remotes = found.flatMap((match): [string, string][] => (match ? [[match[2] ?? "", match[1] ?? ""]] : []));
  return new Map(remotes.filter(([address]) => address.startsWith(`${hubUrl}/spaces/`)));
}

/** The name of the remote with an address. A missing one is added as origin, or as space when origin is in use. */
export async function remoteAt(git: Git, hubUrl: string, address: string): Promise<string> {
  const known = (await spaceRemotes(git, hubUrl)).get(address);
  if (known !== undefined) return known;
  const names = (await git.run("remote")).split("\n");
  const name = ["origin", "space"].find((each) => !names.includes(each)) ?? `space-${names.length}`;
  await git.run("remote", "add", name, address);
  return name;
}

/** The files that the hub adds to a new space. */
const FIRST_FILES = ["README.md", "index.html", "style.css", ".gitattributes"];

/** The state of the space compared with the local commits. */
export type RemoteStatus =
  /** It has no commit. */
  | { kind: "empty" }
  /** It has only the hub's first commit. */
  | { kind: "fresh"; head: string }
  /** Its newest commit is an ancestor of HEAD, or HEAD itself. */
  | { kind: "behind"; head: string };

/**
 * Fetches the space and compares it with HEAD.
 * @throws WorkbenchError `publish-refused` when the space has commits that are not in HEAD
 */
export async function fetchRemoteStatus(git: Git, remote: string, address: string): Promise<RemoteStatus> {
  const [head = ""] = (await git.runOnHub("ls-remote", "--heads", remote, BRANCH)).split("\t");
  if (head === "") return { kind: "empty" };
  await git.runOnHub("fetch", "--quiet", "--no-tags", remote, BRANCH);
  const here = await git.tryRun("rev-parse", "--verify", "--quiet", "HEAD");
  if (here !== null && (await git.tryRun("merge-base", "--is-ancestor", head, "HEAD")) !== null) {
    return { kind: "behind", head };
  }
  if (await isFresh(git, head)) return { kind: "fresh", head };
  const related = here !== null && (await git.tryRun("merge-base", head, "HEAD")) !== null;
  const next = related
    ? `Merge them first, then publish again: git pull --rebase ${remote} ${BRANCH}`
    : "Publish under another name (in pyproject.toml, and of the package's folder), or start from a clone of that space.";
  const what = related ? "has commits that are not in this folder" : "exists already and is a different app";
  throw publishRefused(`${address} ${what}. Nothing was changed. ${next}`);
}

async function isFresh(git: Git, head: string): Promise<boolean> {
  const files = (await git.run("ls-tree", "-r", "--name-only", head)).split("\n");
  return (await git.run("rev-list", "--count", head)) === "1" && files.every((file) => FIRST_FILES.includes(file));
}

/** Pushes HEAD. Returns its id, and whether the space changed. */
export async function push(
  git: Git,
  remote: string,
  status: RemoteStatus,
): Promise<{ commit: string; pushed: boolean }> {
  const commit = await git.run("rev-parse", "HEAD");
  if (status.kind === "behind" && status.head === commit) return { commit, pushed: false };
  const branch = await git.tryRun("symbolic-ref", "--short", "HEAD");
  const follows = branch !== null && (await git.tryRun("config", `branch.${branch}.remote`)) !== null;
  const upstream = branch === null || follows ? [] : ["--set-upstream"];
  await git.runOnHub("push", "--quiet", ...upstream, remote, `HEAD:refs/heads/${BRANCH}`);
  return { commit, pushed: true };
}
