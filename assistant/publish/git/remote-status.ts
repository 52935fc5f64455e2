import { publishRefused } from "../publish-refused.ts";
import type { Git } from "./git.ts";
import { BRANCH } from "./repository.ts";

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
