import { LEFT_BEHIND } from "../check/app/read-files.ts";
import { secretsIn } from "../check/rules/pkg-011-secrets.ts";
import type { Git } from "./git.ts";
import { refused } from "./refused.ts";
import type { Standing } from "./standing.ts";

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
