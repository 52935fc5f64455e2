import type { Git } from "./git.ts";
import { BRANCH } from "./repository.ts";
import type { Standing } from "./standing.ts";

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
