import type { Git } from "./git.ts";
import { refused } from "./refused.ts";
import { BRANCH } from "./repository.ts";

/** What the hub itself puts into a space when it is made. */
const FIRST_FILES = ["README.md", "index.html", "style.css", ".gitattributes"];

/** How the space stands to what is here. */
export type Standing =
  /** There is nothing in it. */
  | { kind: "empty" }
  /** Only what the hub put there as it was made. */
  | { kind: "fresh"; head: string }
  /** An earlier state of what is here. */
  | { kind: "behind"; head: string };

/**
 * Fetches the space and compares.
 * @throws WorkbenchError `publish-refused` when it holds what is not here
 */
export async function standingOf(git: Git, remote: string, address: string): Promise<Standing> {
  const [head = ""] = (await git.reach("ls-remote", "--heads", remote, BRANCH)).split("\t");
  if (head === "") return { kind: "empty" };
  await git.reach("fetch", "--quiet", "--no-tags", remote, BRANCH);
  const here = await git.attempt("rev-parse", "--verify", "--quiet", "HEAD");
  if (here !== null && (await git.attempt("merge-base", "--is-ancestor", head, "HEAD")) !== null) {
    return { kind: "behind", head };
  }
  if (await isFresh(git, head)) return { kind: "fresh", head };
  const related = here !== null && (await git.attempt("merge-base", head, "HEAD")) !== null;
  const next = related
    ? `Take them in first, then publish again: git pull --rebase ${remote} ${BRANCH}`
    : "Publish under another name (in pyproject.toml, and of the package's folder), or begin with a clone of that space.";
  const what = related ? "holds commits that are not here" : "exists already and is something else";
  throw refused(`${address} ${what}. Nothing was changed. ${next}`);
}

async function isFresh(git: Git, head: string): Promise<boolean> {
  const files = (await git.run("ls-tree", "-r", "--name-only", head)).split("\n");
  return (await git.run("rev-list", "--count", head)) === "1" && files.every((file) => FIRST_FILES.includes(file));
}
