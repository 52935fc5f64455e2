import type { Git } from "./git.ts";
import type { RemoteStatus } from "./remote-status.ts";
import { BRANCH } from "./repository.ts";

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
