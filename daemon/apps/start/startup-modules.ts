import { existsSync } from "node:fs";
import path from "node:path";
import { DEFAULT_DIALECT, dialectById } from "../../../robot/dialects/dialects.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { sitePackagesOf } from "../catalogue/installed-apps.ts";

/**
 * The folder with the module that Python runs before an app of this dialect, so that the app's SDK has the robot's
 * microphone and speaker. It is part of the robot-sdk of the app's environment; null when the dialect needs none.
 * @param venv the environment that apps share
 */
export async function startupModulesOf(
  { info, ownVenv }: Pick<InstalledApp, "info" | "ownVenv">,
  venv: string,
): Promise<string | null> {
  const { startupModules } = dialectById(info.extra.dialect) ?? DEFAULT_DIALECT;
  if (startupModules === null) return null;
  const folders = await sitePackagesOf(ownVenv ?? venv);
  const found = folders.map((folder) => path.join(folder, DEFAULT_DIALECT.sdk.module, startupModules));
  return found.find((folder) => existsSync(folder)) ?? null;
}
