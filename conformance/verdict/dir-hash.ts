import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "../../assistant/terminal.ts";
import { sha256 } from "../../common/files/sha256.ts";
import { HubClient } from "../../daemon/apps/hub/hub-client.ts";
import { isAddress, spaceIdIn } from "../../daemon/apps/hub/space-address.ts";
import {
  namesLeftOutOf,
  type ProjectEntry,
  projectEntriesIn,
  VERDICT_FOLDER,
} from "../../daemon/apps/install/fetch/digest.ts";
import { spaceSource } from "../../daemon/apps/install/fetch/space-source.ts";
import { hubOptions } from "../../daemon/commands/install.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { assertDistinctNames } from "./distinct-names.ts";

/**
 * The digest of a folder's project files: `dirHash` of the in-toto attestation format, which is the directory hash of Go
 * modules (Hash1), hexadecimal. A person gets the same with
 * `find -L . -type f | cut -c3- | LC_ALL=C sort | tr '\n' '\0' | xargs -0 -r sha256sum -- | sha256sum`, in a folder with these
 * files alone.
 * https://github.com/in-toto/attestation/blob/main/spec/v1/digest_set.md
 * Symbolic links inside the folder count as what they lead to.
 * @throws WorkbenchError `bad-request` for links that leave the folder, pipes and sockets, whose contents it does not cover,
 *   and for names that could stand for another file, as `assertDistinctNames` says
 */
export async function dirHashOf(folder: string): Promise<string> {
  const entries = await projectEntriesIn(folder);
  for (const entry of entries) await refuse(folder, entry);
  const names = entries.map(({ name }) => name);
  assertDistinctNames(names);
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
}

/** The digest of an app's files, and the files and folders that it does not cover although a build could read them. */
interface SourceDigest {
  dirHash: string;
  leftOut: readonly string[];
}

/** Histories and what certify writes: no builder reads them by itself. */
const NOT_BUILT = new Set([".git", ".hg", VERDICT_FOLDER]);

/**
 * The digest of a folder, or of the newest commit of a space.
 * @param hubUrl the hub of the space; the public one unless given
 * @throws WorkbenchError `bad-request` for a folder that does not exist; as `HubClient` and `spaceIdIn` do
 */
export async function digestOfSource(app: string, terminal: Terminal, hubUrl = PUBLIC_HUB): Promise<SourceDigest> {
  if (!isAddress(app)) {
    const folder = resolve(terminal.cwd, app);
    if (!existsSync(folder)) throw new WorkbenchError("bad-request", `The folder ${folder} does not exist.`);
    const leftOut = (await namesLeftOutOf(folder)).filter((name) => !NOT_BUILT.has(name));
    return { dirHash: await dirHashOf(folder), leftOut };
  }
  const hub = new HubClient(hubOptions(hubUrl, terminal.env));
  const leftOut: string[] = [];
  const source = spaceSource(hub, spaceIdIn(app, hub.url), (name) => leftOut.push(name));
  const scratch = await mkdtemp(join(tmpdir(), "robot-verify-"));
  try {
    const folder = join(scratch, "app");
    await source.fetch(folder, { signal: terminal.signal, enter: () => {}, log: () => {} });
    const isBuilt = (name: string) => !NOT_BUILT.has(name.split("/")[0] ?? "");
    return { dirHash: await dirHashOf(folder), leftOut: leftOut.filter(isBuilt) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
