import { existsSync } from "node:fs";
import { mkdtemp, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../../../common/machine/remove-tree.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { installIntoFolder } from "../../../daemon/apps/install/tools/installer.ts";
import { findUv } from "../../../daemon/start/prepare.ts";
import type { Host } from "../../runner/host.ts";
import { PYTEST } from "../pytest.ts";

/**
 * A folder with pytest and what it needs, for the Python of a clean environment; made once. The environment of an app that is
 * judged has no pytest, by which the app could tell it from that of a robot.
 * @param clean the clean environment, beside which the folder is
 * @throws WorkbenchError `index-unreachable`, `install-failed`; the host's signal's reason
 */
export async function pytestPackages(clean: string, { env, signal }: Host): Promise<string> {
  const folder = join(dirname(clean), "pytest");
  if (existsSync(folder)) return folder;
  const scratch = await mkdtemp(join(dirname(clean), "pytest-"));
  try {
    const target = join(scratch, "packages");
    const parts = { venv: clean, uv: await findUv(env, undefined, signal), env: { ...env, UV_LINK_MODE: "copy" } };
    const run = { clock: systemClock, signal, onLine: () => {}, scratch };
    await installIntoFolder(parts, { ...run, packages: [PYTEST], target });
    // Another certification may have made it meanwhile.
    await rename(target, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await removeTree(scratch);
  }
}
