import path from "node:path";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import { InstalledApps } from "../apps/catalogue/installed-apps.ts";
import { OriginRecords } from "../apps/catalogue/origin-records.ts";
import { localFolder } from "../apps/install/fetch/folder-source.ts";
import { type PrepareOptions, prepareAndInstall } from "./prepare.ts";

/** The app that the package brings, to start with. */
const EXAMPLE = "hello_robot";

/**
 * Installs the package's example app when it is the startup app and not installed yet: a first start needs no hub.
 * The caller has opened the data folder.
 * @throws WorkbenchError `usage`, `python-missing`, `install-failed`, `app-busy`, `disk-full`; the signal's reason
 */
export async function installExample(
  startupApp: string | null,
  packageDir: string,
  options: PrepareOptions & { venv: string },
): Promise<void> {
  if (startupApp === null || !sameName(startupApp, EXAMPLE)) return;
  const { venv, dataDir } = options;
  const installed = await new InstalledApps(venv, new OriginRecords(venv, dataDir), dataDir).list();
  if (installed.some(({ info }) => sameName(info.name, EXAMPLE))) return;
  const folder = path.join(packageDir, "fixtures/apps", EXAMPLE);
  await prepareAndInstall(localFolder(folder), `app ${EXAMPLE}`, { ...options, onProgress: () => {} });
}
