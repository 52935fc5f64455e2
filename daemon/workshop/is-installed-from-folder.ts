import { realpath } from "node:fs/promises";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import type { InstalledApp } from "../apps/catalogue/installed-app.ts";

/** Whether an app is installed from a folder as editable, so that it runs the code in there and not a copy of it. */
export async function isInstalledFromFolder(
  folder: string,
  app: string,
  installed: readonly Pick<InstalledApp, "info">[],
): Promise<boolean> {
  const { editable, folder: from } = installed.find(({ info }) => sameName(info.name, app))?.info.extra ?? {};
  if (editable !== true || typeof from !== "string") return false;
  const [one, other] = await Promise.all([folder, from].map((path) => realpath(path).catch(() => path)));
  return one === other;
}
