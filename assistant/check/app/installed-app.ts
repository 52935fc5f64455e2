import path from "node:path";
import { readRegularFile } from "../../../common/machine/read-if-present.ts";
import { DEFAULT_DIALECT, dialectById } from "../../../robot/dialects/dialects.ts";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { type App, describeApp } from "./app.ts";
import { readFiles } from "./read-files.ts";

/**
 * Describes an installed app from its package: its other files are not installed.
 * @param file the file of the module that the daemon runs
 * @param module the name of that module
 * @throws Error of the system when its files cannot be read; the signal's reason when aborted
 */
export async function describeInstalledApp(
  { info, file, module }: { info: AppInfo; file: string; module: string },
  signal: AbortSignal,
): Promise<App> {
  const [top = module, ...inner] = module.split(".");
  const folder = path.resolve(file, ...inner.map(() => ".."));
  const texts = inner.length === 0 ? new Map([["", await readRegularFile(file)]]) : await readFiles(folder, signal);
  const inPackage = [...texts].map(
    ([name, text]) => [inner.length === 0 ? `${top}.py` : `${top}/${name}`, text] as const,
  );
  const { entry_point, distribution, dialect } = info.extra;
  const { group } = dialectById(dialect) ?? DEFAULT_DIALECT;
  const quote = (text: unknown) => JSON.stringify(String(text));
  const pyproject = `[project]\nname = ${quote(distribution)}\n[project.entry-points.${group}]\n${quote(info.name)} = ${quote(entry_point)}\n`;
  return describeApp(new Map([["pyproject.toml", pyproject], ...inPackage]));
}
