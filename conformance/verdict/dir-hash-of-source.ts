import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "../../assistant/terminal.ts";
import { Hub } from "../../daemon/apps/hub/hub.ts";
import { isAddress } from "../../daemon/apps/hub/space-address.ts";
import { parseSource } from "../../daemon/apps/install/fetch/parse-source.ts";
import { hubOptions } from "../../daemon/commands/install.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { dirHashOf } from "./dir-hash.ts";

/**
 * `dirHash` of a folder, or of the newest commit of a space.
 * @param hubUrl the hub of the space; the public one unless given
 * @throws WorkbenchError `bad-request` for a folder that does not exist; as `Hub` and `parseSource` do
 */
export async function dirHashOfSource(app: string, terminal: Terminal, hubUrl = PUBLIC_HUB): Promise<string> {
  if (!isAddress(app)) {
    const folder = resolve(terminal.cwd, app);
    if (!existsSync(folder)) throw new WorkbenchError("bad-request", `The folder ${folder} does not exist.`);
    return dirHashOf(folder);
  }
  const source = parseSource(app, new Hub(hubOptions(hubUrl, terminal.env)));
  const scratch = await mkdtemp(join(tmpdir(), "robot-verify-"));
  try {
    const folder = join(scratch, "app");
    await source.fetch(folder, { signal: terminal.signal, enter: () => {}, log: () => {} });
    return await dirHashOf(folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
