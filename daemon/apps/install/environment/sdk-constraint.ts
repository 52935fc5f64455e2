import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { readIfPresent, readRegularFile } from "../../../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";

/** Folder of an environment with the wheel of its SDK, see `provideSdkWheel`. */
export const sdkFolderIn = (venv: string): string => path.join(venv, "robot-sdk");

/** The file that lets installers take the SDK from nowhere but that wheel. */
const constraintsIn = (venv: string): string => path.join(sdkFolderIn(venv), "constraints.txt");

/** The settings of every pip that runs in an environment. */
const settingsIn = (venv: string): string => path.join(venv, "pip.conf");

/**
 * Lets every pip that runs in an environment take the SDK of a version. Other settings stay.
 * @throws as `otherPipSettings`
 */
export async function writeSdkConstraint(venv: string, version: string): Promise<void> {
  await writeFileAtomic(constraintsIn(venv), `robot-sdk==${version}\n`);
  // An address, because pip splits its settings at spaces.
  const file = pathToFileURL(constraintsIn(await realpath(venv)));
  const settings = withConstraint(await otherPipSettings(venv), `constraint = ${file.href}`);
  await writeFileAtomic(settingsIn(venv), settings);
}

/**
 * The settings of pip in an environment without what `writeSdkConstraint` wrote.
 * @throws WorkbenchError `usage` when they have constraints of a person: pip would take one of the two only
 */
export async function otherPipSettings(venv: string): Promise<string> {
  const file = settingsIn(venv);
  const settings = (await readIfPresent(file)) ?? "";
  const others = settings.replace(/^constraint = file:\S+\/robot-sdk\/constraints\.txt\n/gm, "");
  if (!/^\s*(--)?constraint\s*[=:]/im.test(others)) return others;
  const next = "Remove it there, or name another folder with --venv.";
  throw new WorkbenchError("usage", `${file} sets "constraint", which robot-sdk needs for itself. ${next}`);
}

/** Adds a line to the end of the section `install`: before indented settings, those would continue its value. */
function withConstraint(settings: string, line: string): string {
  const text = settings === "" || settings.endsWith("\n") ? settings : `${settings}\n`;
  const section = /^\[install\][^\n]*\n(?:(?!\[)[^\n]*\n)*/m;
  if (!section.test(text)) return `${text}[install]\n${line}\n`;
  return text.replace(section, (found) => `${found}${line}\n`);
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
