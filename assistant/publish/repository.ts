import { realpath } from "node:fs/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { LEFT_BEHIND } from "../check/app/read-files.ts";
import { secretsIn } from "../check/rules/pkg-011-secrets.ts";
import type { Git } from "./git.ts";

/** The branch that the hub shows and the daemon installs from. */
const BRANCH = "main";

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
 * Whether the folder is a git repository of its own already.
 * @throws WorkbenchError `publish-refused` when it is part of a larger one
 */
export async function isRepository(git: Git, folder: string): Promise<boolean> {
  const top = await git.attempt("rev-parse", "--show-toplevel");
  if (top === (await realpath(folder))) return true;
  if (top === null || (await git.run("ls-files", "--", ".")) === "") return false;
  const next = "Move it to a folder of its own, or take it out of that repository (git rm -r --cached).";
  throw refused(`${folder} is part of the git repository ${top}, and a space needs one of its own. ${next}`);
}

/** Makes the folder a git repository. */
export async function initRepository(git: Git): Promise<void> {
  await git.run("init", "--quiet", `--initial-branch=${BRANCH}`);
}

/** The remotes that are spaces of a hub: name by address. */
export async function spaceRemotes(git: Git, hubUrl: string): Promise<Map<string, string>> {
  const printed = (await git.attempt("config", "--get-regexp", "^remote\\..*\\.url$")) ?? "";
  const found = printed.split("\n").map((line) => /^remote\.(.*)\.url (.*?)(?:\.git)?\/?$/.exec(line));
  const remotes = found.flatMap((match): [string, string][] => (match ? [[match[2] ?? "", match[1] ?? ""]] : []));
  return new Map(remotes.filter(([address]) => address.startsWith(`${hubUrl}/spaces/`)));
}

/** The name of the remote at an address, which is added unless it is there: origin, or space where that is taken. */
export async function remoteAt(git: Git, hubUrl: string, address: string): Promise<string> {
  const known = (await spaceRemotes(git, hubUrl)).get(address);
  if (known !== undefined) return known;
  const names = (await git.run("remote")).split("\n");
  const name = ["origin", "space"].find((each) => !names.includes(each)) ?? `space-${names.length}`;
  await git.run("remote", "add", name, address);
  return name;
}

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

/**
 * Commits everything that `.gitignore` lets through, on top of a fresh space's first commit where there is one.
 * @param checked the files that were looked at; others are not published
 * @throws WorkbenchError `publish-refused` when a file was not looked at
 */
export async function commitAll(
  git: Git,
  standing: Standing,
  checked: ReadonlySet<string>,
  { message, user }: { message: string; user: string },
): Promise<void> {
  const unborn = (await git.attempt("rev-parse", "--verify", "--quiet", "HEAD")) === null;
  if (!unborn) await refuseSecretsBefore(git, standing);
  const left = LEFT_BEHIND.flatMap((name) => [`:(exclude,glob)**/${name}`, `:(exclude,glob)**/${name}/**`]);
  await git.run("add", "--all", "--", ".", ...left);
  const staged = (await git.run("ls-files", "-z")).split("\0").filter((file) => file !== "");
  const unseen = staged.filter((file) => !checked.has(file));
  if (unseen.length > 0) {
    const next = "List them in .gitignore and take them out (git rm --cached).";
    throw refused(`Git would publish what the check did not look at: ${unseen.slice(0, 5).join(", ")}. ${next}`);
  }
  if (unborn && standing.kind === "fresh") await git.run("update-ref", "HEAD", standing.head);
  const author = await authorOptions(git, user);
  if ((await git.attempt("diff", "--cached", "--quiet")) === null) {
    await git.run(...author, "commit", "--quiet", "--message", message);
  }
  if (!unborn && standing.kind === "fresh") {
    const tree = ["HEAD^{tree}", "-p", "HEAD", "-p", standing.head, "-m", "Begin the space"];
    await git.run("update-ref", "HEAD", await git.run(...author, "commit-tree", ...tree));
  }
}

/**
 * What was committed and taken out again is published too.
 * @throws WorkbenchError `publish-refused` when a commit that the space does not have holds a secret
 */
async function refuseSecretsBefore(git: Git, standing: Standing): Promise<void> {
  const there = standing.kind === "empty" ? [] : [`^${standing.head}`];
  const patches = await git.run(
    "log",
    "--patch",
    "--unified=0",
    "--no-ext-diff",
    "--format=commit %h",
    "HEAD",
    ...there,
  );
  for (const patch of patches.split(/^(?=commit [0-9a-f]+$)/m)) {
    const files = [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].flatMap(([, file = ""]) => secretsIn(file, ""));
    const [found] = [...files, ...secretsIn("", patch)];
    if (found === undefined) continue;
    const [commit] = patch.split("\n", 1);
    const next = "Take it out of the history, for example with git rebase --interactive, then publish again.";
    throw refused(`The ${commit} holds a secret, which would be published with it. ${found.message} ${next}`);
  }
}

/** The hub's own address for those who have told git no name and address of theirs. */
async function authorOptions(git: Git, user: string): Promise<string[]> {
  if ((await git.attempt("config", "user.email")) !== null) return [];
  return ["-c", `user.name=${user}`, "-c", `user.email=${user}@users.noreply.huggingface.co`];
}

/** Sends what is committed. Returns its id, and whether the space had it already. */
export async function push(git: Git, remote: string, standing: Standing): Promise<{ commit: string; moved: boolean }> {
  const commit = await git.run("rev-parse", "HEAD");
  if (standing.kind === "behind" && standing.head === commit) return { commit, moved: false };
  const branch = await git.attempt("symbolic-ref", "--short", "HEAD");
  const follows = branch !== null && (await git.attempt("config", `branch.${branch}.remote`)) !== null;
  const upstream = branch === null || follows ? [] : ["--set-upstream"];
  await git.reach("push", "--quiet", ...upstream, remote, `HEAD:refs/heads/${BRANCH}`);
  return { commit, moved: true };
}

function refused(detail: string): WorkbenchError {
  return new WorkbenchError("publish-refused", detail);
}
