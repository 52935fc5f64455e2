import type { Git } from "./git.ts";

/** A file as one commit writes it. */
interface CommittedFile {
  commit: string;
  path: string;
  /** Id of its content. */
  blob: string;
}

/** Blobs are read in batches of this many bytes. */
const BATCH_BYTES = 16_000_000;

/**
 * The files that the commits of HEAD write, without those of published commits. Each commit is compared with each of its
 * parents, so that merges show all of theirs. Uses git's plumbing commands only, which ignore the user's configuration.
 */
export async function committedFiles(git: Git, published: readonly string[]): Promise<CommittedFile[]> {
  const commits = await git.run("rev-list", "--reverse", "HEAD", ...published.map((commit) => `^${commit}`));
  const options = ["--stdin", "-r", "-m", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--diff-filter=d"];
  const printed = (await git.runBytes(["diff-tree", ...options], `${commits}\n`)).toString("utf8");
  const files = new Map<string, CommittedFile>();
  let commit = "";
  const fields = printed.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const [, mode, , , blob = ""] = /^:(\d+ (\d+)) (\w+) (\w+) /.exec(fields[at] ?? "") ?? [];
    if (mode === undefined) commit = fields[at] || commit;
    else {
      at += 1;
      const path = fields[at] ?? "";
      const isFile = !mode.endsWith(" 160000"); // a submodule's commit
      if (isFile && !files.has(`${blob} ${path}`)) files.set(`${blob} ${path}`, { commit, path, blob });
    }
  }
  return [...files.values()];
}

/** The sizes of blobs in bytes, by id. */
export async function blobSizes(git: Git, blobs: readonly string[]): Promise<Map<string, number>> {
  const output = await git.runBytes(["cat-file", "--batch-check"], blobs.map((blob) => `${blob}\n`).join(""));
  const found = [...output.toString("latin1").matchAll(/^(\w+) blob (\d+)$/gm)];
  return new Map(found.map(([, blob = "", size]) => [blob, Number(size)]));
}

export async function* readBlobs(
  git: Git,
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<{ blob: string; content: Buffer }> {
  let [batch, bytes]: [string[], number] = [[], 0];
  for (const [blob, size] of sizes) {
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield* readBatch(git, batch, sizes);
      [batch, bytes] = [[], 0];
    }
    batch.push(blob);
    bytes += size;
  }
  if (batch.length > 0) yield* readBatch(git, batch, sizes);
}

async function* readBatch(git: Git, batch: readonly string[], sizes: ReadonlyMap<string, number>) {
  const output = await git.runBytes(["cat-file", "--batch"], batch.map((blob) => `${blob}\n`).join(""));
  let at = 0;
  for (const blob of batch) {
    const start = output.indexOf(0x0a, at) + 1;
    const stop = start + (sizes.get(blob) ?? 0);
    yield { blob, content: output.subarray(start, stop) };
    at = stop + 1;
  }
}
