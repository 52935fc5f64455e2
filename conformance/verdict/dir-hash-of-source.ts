import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "../../assistant/terminal.ts";
import { HubClient } from "../../daemon/apps/hub/hub-client.ts";
import { isAddress, spaceIdIn } from "../../daemon/apps/hub/space-address.ts";
import { namesLeftOutOf } from "../../daemon/apps/install/fetch/digest.ts";
import { VERDICT_FOLDER } from "../../daemon/apps/install/fetch/project-files.ts";
import { spaceSource } from "../../daemon/apps/install/fetch/space-source.ts";
import { hubOptions } from "../../daemon/commands/install.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { dirHashOf } from "./dir-hash.ts";

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
