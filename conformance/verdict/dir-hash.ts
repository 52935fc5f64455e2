import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFilesIn } from "../../daemon/apps/install/fetch/digest.ts";

/**
 * The digest of a folder's project files: `dirHash` of the in-toto attestation format, which is the directory hash of Go
 * modules (Hash1), hexadecimal. A person gets the same with
 * `find . -type f | cut -c3- | LC_ALL=C sort | xargs -r sha256sum | sha256sum`, in a folder with these files alone.
 * https://github.com/in-toto/attestation/blob/main/spec/v1/digest_set.md
 */
export async function dirHashOf(folder: string): Promise<string> {
  const names = (await projectFilesIn(folder)).map((name) => name.replaceAll("\\", "/"));
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const all = createHash("sha256");
  for (const name of names) all.update(`${sha256(await readFile(join(folder, name)))}  ${name}\n`);
  return all.digest("hex");
}

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
