import { join, resolve } from "node:path";
import type { Terminal } from "../../assistant/terminal.ts";
import { InstalledApps } from "../../daemon/apps/catalogue/installed-apps.ts";
import { OriginRecords } from "../../daemon/apps/catalogue/origin-records.ts";
import { installedDistributions, isIntact } from "../../daemon/apps/install/environment/installed-distributions.ts";
import { defaultDataDir } from "../../daemon/command-line/options.ts";
import { sameName } from "../../robot/wire/apps/app-search.ts";

/** The installed wheel of an app, and why it cannot be relied on. */
interface InstalledWheel {
  /** `dirHash` of the wheel that the daemon recorded; null without a record. */
  digest: string | null;
  problems: readonly string[];
}

/**
 * What the daemon recorded of an app when it installed it, and whether its files are still those.
 * @param dataDir the daemon's data folder; the default one when absent
 * @throws WorkbenchError `app-not-found`
 */
export async function verifyInstalledWheel(
  name: string,
  terminal: Terminal,
  dataDir?: string,
): Promise<InstalledWheel> {
  const folder = dataDir === undefined ? defaultDataDir(terminal.env) : resolve(terminal.cwd, dataDir);
  const venv = join(folder, "apps_venv");
  const { info, ownVenv } = await new InstalledApps(venv, new OriginRecords(venv, folder), folder).find(name);
  const digest = info.extra.origin?.wheel ?? null;
  if (digest === null)
    return {
      digest,
      problems: [`There is no record of the wheel of ${name}: install it again with robot-daemon install.`],
    };
  const distributions = await installedDistributions(ownVenv ?? venv);
  const distribution = distributions.find((one) => sameName(one.name, String(info.extra.distribution)));
  const intact = distribution !== undefined && (await isIntact(distribution));
  return { digest, problems: intact ? [] : [`The files of ${name} were changed after it was installed.`] };
}
