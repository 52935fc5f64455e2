import { DEFAULT_IGNORES } from "../../check/app/read-files.ts";
import { secretsIn } from "../../check/rules/pkg-011-secrets.ts";
import { publishRefused } from "../publish-refused.ts";
import { blobSizes, committedFiles, readBlobs } from "./committed-files.ts";
import type { Git } from "./git.ts";
import type { RemoteStatus } from "./repository.ts";

/** Larger files are not searched for secrets. */
const MAX_BYTES = 1_000_000;

/**
 * Commits everything that `.gitignore` does not exclude, on top of a fresh space's first commit if there is one.
 * @param checked the files that the check has read; others are not published
 * @throws WorkbenchError `publish-refused` for a file that the check has not read, or a secret in an earlier commit
 */
export async function commitAll(
  git: Git,
  status: RemoteStatus,
  checked: ReadonlySet<string>,
  { message, user }: { message: string; user: string },
): Promise<void> {
  const unborn = (await git.tryRun("rev-parse", "--verify", "--quiet", "HEAD")) === null;
  if (!unborn) await refuseSecretsInHistory(git, status.kind === "empty" ? [] : [status.head]);
  const excluded = DEFAULT_IGNORES.flatMap((name) => [`:(exclude,glob)**/${name}`, `:(exclude,glob)**/${name}/**`]);
  await git.run("add", "--all", "--", ".", ...excluded);
  const staged = (await git.run("ls-files", "-z")).split("\0").filter((file) => file !== "");
  const unchecked = staged.filter((file) => !checked.has(file));
  if (unchecked.length > 0) {
    const next = "List them in .gitignore and remove them from git (git rm --cached).";
    throw publishRefused(
      `Git would publish files that the check has not read: ${unchecked.slice(0, 5).join(", ")}. ${next}`,
    );
  }
  if (unborn && status.kind === "fresh") await git.run("update-ref", "HEAD", status.head);
  const author = await authorOptions(git, user);
  if ((await git.tryRun("diff", "--cached", "--quiet")) === null) {
    await git.run(...author, "commit", "--quiet", "--message", message);
  }
  if (!unborn && status.kind === "fresh") {
    const tree = ["HEAD^{tree}", "-p", "HEAD", "-p", status.head, "-m", "Begin the space"];
    await git.run("update-ref", "HEAD", await git.run(...author, "commit-tree", ...tree));
  }
}

/** Options for the author: the hub's address for the account when git has no user.email. */
export async function authorOptions(git: Git, user: string): Promise<string[]> {
  if ((await git.tryRun("config", "user.email")) !== null) return [];
  return ["-c", `user.name=${user}`, "-c", `user.email=${user}@users.noreply.huggingface.co`];
}

/**
 * Searches every file that the commits to be published write: a file that a later commit deletes is published, too.
 * @param published commits that the space has already
 * @throws WorkbenchError `publish-refused` when a commit holds a secret
 */
async function refuseSecretsInHistory(git: Git, published: readonly string[]): Promise<void> {
  const files = await committedFiles(git, published);
  const sizes = await blobSizes(git, [...new Set(files.map(({ blob }) => blob))]);
  const texts = new Map<string, string>();
  for await (const { blob, content } of readBlobs(git, new Map([...sizes].filter(([, size]) => size <= MAX_BYTES)))) {
    if (!content.includes(0)) texts.set(blob, content.toString("utf8"));
  }
  for (const { commit, path, blob } of files) {
    const [found] = await secretsIn(path, texts.get(blob) ?? "");
    if (found === undefined) continue;
    const place = found.line === null ? path : `${path}:${found.line}`;
    const next = "Remove it from the history, for example with git rebase --interactive, then publish again.";
    throw publishRefused(`The commit ${commit.slice(0, 10)} holds a secret (${place}). ${found.message} ${next}`);
  }
}
