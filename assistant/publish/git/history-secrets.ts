import { secretsIn } from "../../check/rules/pkg-011-secrets.ts";
import { publishRefused } from "../publish-refused.ts";
import { blobSizes, committedFiles, readBlobs } from "./committed-files.ts";
import type { Git } from "./git.ts";

/** Larger files are not searched. */
const MAX_BYTES = 1_000_000;

const ADVICE = "Remove it from the history, for example with git rebase --interactive, then publish again.";

/**
 * Searches every file that the commits to be published write: a file that a later commit deletes is published, too.
 * @param published commits that the space has already
 * @throws WorkbenchError `publish-refused` when a commit holds a secret
 */
export async function refuseSecretsInHistory(git: Git, published: readonly string[]): Promise<void> {
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
    throw publishRefused(`The commit ${commit.slice(0, 10)} holds a secret (${place}). ${found.message} ${ADVICE}`);
  }
}
