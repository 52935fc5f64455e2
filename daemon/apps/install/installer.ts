import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { sitePackagesOf } from "../catalogue/catalogue.ts";
import type { Command } from "../start/command.ts";
import { pythonEnvironment } from "../start/environment.ts";
import { runTool, type ToolRun } from "./tool.ts";
import { venvMark } from "./venv-lock.ts";

export interface InstallerParts {
  venv: string;
  /** The `uv` program, or null to use the environment's own pip. */
  uv: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

export interface InstallOptions extends ToolRun {
  /** What to install: folders and requirements. */
  what: readonly string[];
  /** A distribution to install even when this version of it is there. */
  again: string;
  /** A folder for everything that the tool writes on the way. */
  scratch: string;
  /** A distribution that stays in the version that is installed, whatever is asked for. */
  keep?: string;
  /** False builds with the setuptools of the environment: quick, and without a network. */
  isolated: boolean;
}

/** Puts distributions into an environment. @throws WorkbenchError as `runTool` */
export async function installInto(parts: InstallerParts, options: InstallOptions): Promise<void> {
  const isolation = options.isolated ? [] : ["--no-build-isolation"];
  const again = parts.uv === null ? [] : ["--reinstall-package", options.again];
  const quiet = parts.uv === null ? ["--progress-bar", "off"] : [];
  const kept = options.keep === undefined ? [] : await keeping(options.keep, parts.venv, options.scratch);
  await runTool(
    commandOf(parts, options.scratch, ["install", ...quiet, ...isolation, ...again, ...kept, ...options.what]),
    venvMark(parts.venv),
    options,
  );
}

/** Constrains a distribution to the version that is installed, so that no index can offer another in its place. */
async function keeping(name: string, venv: string, scratch: string): Promise<string[]> {
  const records = (await Promise.all((await sitePackagesOf(venv)).map((folder) => readdir(folder)))).flat();
  const ofName = new RegExp(`^${name.replaceAll("-", "[-_]")}-([^-]+)\\.dist-info$`, "i");
  const [version] = records.flatMap((record) => ofName.exec(record)?.[1] ?? []);
  if (version === undefined) return [];
  const file = path.join(scratch, "constraints.txt");
  await writeFile(file, `${name}==${version}\n`);
  return ["--constraint", file];
}

/** Lists what the distributions of an environment miss of each other. @throws WorkbenchError as `runTool` when some do */
export async function checkEnvironment(parts: InstallerParts, run: ToolRun & { scratch: string }): Promise<void> {
  await runTool(commandOf(parts, run.scratch, ["check"]), venvMark(parts.venv), run);
}

/** Takes a distribution out of an environment. @throws WorkbenchError as `runTool` */
export async function uninstallFrom(
  parts: InstallerParts,
  name: string,
  run: ToolRun & { scratch: string },
): Promise<void> {
  const yes = parts.uv === null ? ["--yes"] : [];
  await runTool(commandOf(parts, run.scratch, ["uninstall", ...yes, name]), venvMark(parts.venv), run);
}

function commandOf({ venv, uv, env }: InstallerParts, scratch: string, args: readonly string[]): Command {
  const python = path.join(venv, "bin", "python");
  const [action = "", ...rest] = args;
  const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input", action];
  return {
    file: uv ?? python,
    args: uv === null ? [...pip, ...rest] : ["pip", action, "--python", python, ...rest],
    cwd: scratch,
    env: { ...pythonEnvironment(env), TMPDIR: scratch },
  };
}
