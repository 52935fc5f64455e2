import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProjectEntry, projectEntriesIn } from "../../daemon/apps/install/fetch/digest.ts";
import { sha256 } from "../../daemon/files/sha256.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/**
 * The digest of a folder's project files: `dirHash` of the in-toto attestation format, which is the directory hash of Go
 * modules (Hash1), hexadecimal. A person gets the same with
 * `find . -type f | cut -c3- | LC_ALL=C sort | xargs -r sha256sum | sha256sum`, in a folder with these files alone.
 * https://github.com/in-toto/attestation/blob/main/spec/v1/digest_set.md
 * @throws WorkbenchError `bad-request` for symbolic links, pipes and sockets, whose contents it does not cover, and for
 *   names with a line break, which could stand for another file
 */
export async function dirHashOf(folder: string): Promise<string> {
  const entries = await projectEntriesIn(folder);
  for (const entry of entries) refuse(entry);
  const names = entries.map(({ name }) => name.replaceAll("\\", "/"));
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const all = createHash("sha256");
  for (const name of names) all.update(`${sha256(await readFile(join(folder, name)))}  ${name}\n`);
  return all.digest("hex");
}

/** Throws for what a directory hash cannot stand for. */
function refuse({ name, kind }: ProjectEntry): void {
  const what = kind === "link" ? "a symbolic link" : kind === "other" ? "neither a file nor a folder" : null;
  if (what !== null)
    throw new WorkbenchError("bad-request", `${name} is ${what}, which no verdict covers: replace it by a file.`);
  if (/[\r\n]/.test(name))
    throw new WorkbenchError("bad-request", `${JSON.stringify(name)} has a line break: rename the file.`);
}
