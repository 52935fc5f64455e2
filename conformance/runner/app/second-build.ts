import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import { readProject } from "../../../daemon/apps/install/check/project.ts";
import { readWheel, type Wheel } from "../../../daemon/apps/install/check/wheel.ts";
import {
  hasBuildRequirements,
  type RecordedFile,
} from "../../../daemon/apps/install/environment/installed-distributions.ts";
import { localFolder } from "../../../daemon/apps/install/fetch/folder-source.ts";
import { buildWheel, type InstallerParts, uninstallFrom } from "../../../daemon/apps/install/tools/installer.ts";
import type { ToolRun } from "../../../daemon/apps/install/tools/run-tool.ts";
import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { SecondBuild } from "../../evidence/evidence.ts";
import { recordOfDistribution } from "./top-level-modules.ts";

/** Errors of an install that are the app's fault. */
export const APP_ERRORS: readonly ErrorCode[] = ["app-invalid", "install-failed", "dependency-conflict"];

interface SecondBuildParts extends InstallerParts, Pick<ToolRun, "clock" | "signal"> {
  /** The app's folder. */
  folder: string;
  /** Digest of the wheel that was installed. */
  wheel: string | null;
}

/**
 * Copies the environment, and after that uninstalls the app from the copy and builds it there a second time. The original may
 * be changed as soon as this function has returned its promise.
 * @param scratch an empty folder
 * @throws WorkbenchError when a tool fails for a reason that is not the app's; the signal's reason
 */
export async function startSecondBuild(
  app: InstalledApp,
  { folder, wheel, ...parts }: SecondBuildParts,
  scratch: string,
): Promise<SecondBuild> {
  const copy = join(scratch, "venv");
  // Nothing is awaited before it is copied: the app's run may change the original.
  mkdirSync(scratch, { recursive: true });
  copyTree(parts.venv, copy);
  const run = { clock: parts.clock, signal: parts.signal, onLine: () => {}, scratch };
  const [packageName = ""] = app.module.split(".");
  const name = String(app.info.extra.distribution);
  const recorded = await recordOfDistribution(copy, name);
  await uninstallFrom({ ...parts, venv: copy }, name, run);
  const folders = await sitePackagesOf(copy);
  const remains = folders
    .map((each) => join(each, packageName))
    .filter((each) => existsSync(each))
    .map((each) => relative(copy, each));
  const project = join(scratch, "app");
  const { signal = new AbortController().signal } = parts;
  await localFolder(folder).fetch(project, { signal, enter: () => {}, log: () => {} });
  const isolated = !(await hasBuildRequirements(copy, (await readProject(project)).buildRequires));
  try {
    const file = await buildWheel({ ...parts, venv: copy }, { ...run, project, isolated });
    const again = await readWheel(file, { ...parts, venv: copy });
    return { remains, rebuilt: again.digest === wheel ? [] : differencesOf(recorded, again) };
  } catch (error) {
    if (!(error instanceof WorkbenchError) || !APP_ERRORS.includes(error.code)) throw error;
    return { remains, rebuilt: [`everything: it failed (${error.message})`] };
  }
}

/** The names of files that are only in one of two builds, or not the same in both. */
function differencesOf(recorded: readonly RecordedFile[], { contents }: Wheel): string[] {
  const hashes = recorded.flatMap(({ file, sha256 }) => (sha256 === null ? [] : [[file, sha256] as const]));
  const one = new Map(hashes.filter(([file]) => !/\.dist-info\/(?!METADATA|entry_points)|^\.\.\//.test(file)));
  const other = new Map(Object.entries(contents));
  const names = new Set([...one.keys(), ...[...other.keys()].filter((name) => !name.includes(".dist-info/"))]);
  const different = [...names].filter((name) => one.get(name) !== other.get(name)).sort();
  return different.length === 0 ? ["its metadata"] : different;
}
