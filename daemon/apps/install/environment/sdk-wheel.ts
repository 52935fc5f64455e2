import { copyFile, cp, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ensureFolder } from "../../../../common/files/make-folder.ts";
import { isProjectFile } from "../fetch/digest.ts";
import { buildWheel, fileRequirement, type InstallerParts, type InstallerRun } from "../tools/installer.ts";
import { sdkFolderIn, writeSdkConstraint } from "./sdk-constraint.ts";

/**
 * Puts the SDK's wheel into an environment, and lets every pip that runs there take the SDK from it: no package index can
 * offer another one, whatever version an app asks for. A project folder is built with the environment's setuptools.
 * @returns the requirement to install, with what web pages of apps need
 */
export async function provideSdkWheel(
  source: string,
  parts: InstallerParts,
  { scratch, ...run }: InstallerRun,
): Promise<string> {
  const { venv } = parts;
  const built = await wheelOf(source, parts, { scratch, ...run });
  const folder = sdkFolderIn(venv);
  ensureFolder(folder);
  for (const name of await readdir(folder)) if (name.endsWith(".whl")) await rm(path.join(folder, name));
  const wheel = path.join(folder, path.basename(built));
  await copyFile(built, wheel);
  // The version, because pip 23 finds no solution for an address when an app asks for robot-sdk[web]. The installed
  // SDK has that version, so that pip looks for no other.
  await writeSdkConstraint(venv, path.basename(wheel).split("-")[1] ?? "");
  return `robot-sdk[web] @ ${fileRequirement(wheel)}`;
}

async function wheelOf(source: string, parts: InstallerParts, run: InstallerRun): Promise<string> {
  if (!(await stat(source)).isDirectory()) return source;
  // In a copy, because setuptools builds in the project's folder.
  const project = path.join(run.scratch, "robot-sdk");
  await cp(source, project, { recursive: true, filter: (file) => isProjectFile(path.relative(source, file)) });
  return buildWheel(parts, { ...run, project, isolated: false });
}
