import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type ProjectEntry, projectEntriesIn } from "../../daemon/apps/install/fetch/digest.ts";
import { sha256 } from "../../daemon/files/sha256.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/**
 * The digest of a folder's project files: `dirHash` of the in-toto attestation format, which is the directory hash of Go
 * modules (Hash1), hexadecimal. A person gets the same with
 * `find -L . -type f | cut -c3- | LC_ALL=C sort | xargs -r sha256sum | sha256sum`, in a folder with these files alone.
 * https://github.com/in-toto/attestation/blob/main/spec/v1/digest_set.md
 * Symbolic links inside the folder count as what they lead to.
 * @throws WorkbenchError `bad-request` for links that leave the folder, pipes and sockets, whose contents it does not cover,
 *   and for names with a line break, which could stand for another file
 */
export async function dirHashOf(folder: string): Promise<string> {
  const entries = await projectEntriesIn(folder);
  for (const entry of entries) await refuse(folder, entry);
  const names = entries.map(({ name }) => name.replaceAll("\\", "/"));
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const all = createHash("sha256");
  for (const name of names) all.update(`${sha256(await readFile(join(folder, name)))}  ${name}\n`);
  return all.digest("hex");
}

/** Throws for what a directory hash cannot stand for. */
async function refuse(folder: string, { name, kind }: ProjectEntry): Promise<void> {
  const refused = (what: string) => new WorkbenchError("bad-request", `${name} is ${what}`);
  if (kind === "link") {
    const target = await readlink(join(folder, name));
    throw refused(
      `a symbolic link to ${target}, which leaves the app's folder, is not there, or is a folder around the link: replace the link by a copy.`,
    );
  }
  if (kind === "other") throw refused("neither a file nor a folder, which no verdict covers: replace it by a file.");
  if (/[\r\n]/.test(name))
    throw new WorkbenchError("bad-request", `${JSON.stringify(name)} has a line break: rename the file.`);
}
