import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { readRegularFile } from "../../../../common/machine/read-if-present.ts";

/** Folder of an environment with the wheel of its SDK, see `provideSdkWheel`. */
export const sdkFolderIn = (venv: string): string => path.join(venv, "robot-sdk");

/** The file that lets installers take the SDK from nowhere but that wheel. */
const constraintsIn = (venv: string): string => path.join(sdkFolderIn(venv), "constraints.txt");

/** The settings of every pip that runs in an environment. */
const settingsIn = (venv: string): string => path.join(venv, "pip.conf");

/** Lets every pip that runs in an environment take the SDK of a version. */
export async function writeSdkConstraint(venv: string, version: string): Promise<void> {
  await writeFileAtomic(constraintsIn(venv), `robot-sdk==${version}\n`);
  // An address, because pip splits its settings at spaces.
  const file = pathToFileURL(constraintsIn(await realpath(venv)));
  await writeFileAtomic(settingsIn(venv), `[install]\nconstraint = ${file.href}\n`);
}

/** Whether the settings of an environment name a file with the SDK's version: otherwise every pip ends with an error. */
export async function hasSdkConstraint(venv: string): Promise<boolean> {
  const settings = await readRegularFile(settingsIn(venv)).catch(() => "");
  const url = /^constraint = (file:\S+)$/m.exec(settings)?.[1];
  if (url === undefined) return false;
  const constraints = await readRegularFile(fileURLToPath(url)).catch(() => "");
  return /^robot-sdk==\S+\n$/.test(constraints);
}

/** Arguments with which an installer takes robot-sdk from the environment's own wheel; none without one. */
export function sdkConstraint(venv: string): string[] {
  const file = constraintsIn(venv);
  return existsSync(file) ? ["--constraint", file] : [];
}
