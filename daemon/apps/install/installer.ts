import path from "node:path";
import type { Command } from "../start/command.ts";
import { pythonEnvironment } from "../start/environment.ts";
import { runTool, type ToolRun } from "./tool.ts";

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
  /** False builds with the setuptools of the environment: quick, and without a network. */
  isolated: boolean;
}

/** Puts distributions into an environment. @throws WorkbenchError as `runTool` */
export async function installInto(parts: InstallerParts, options: InstallOptions): Promise<void> {
  const isolation = options.isolated ? [] : ["--no-build-isolation"];
  const again = parts.uv === null ? [] : ["--reinstall-package", options.again];
  const quiet = parts.uv === null ? ["--progress-bar", "off"] : [];
  await runTool(
    commandOf(parts, options.scratch, ["install", ...quiet, ...isolation, ...again, ...options.what]),
    options,
  );
}

/** Takes a distribution out of an environment. @throws WorkbenchError as `runTool` */
export async function uninstallFrom(
  parts: InstallerParts,
  name: string,
  run: ToolRun & { scratch: string },
): Promise<void> {
  const yes = parts.uv === null ? ["--yes"] : [];
  await runTool(commandOf(parts, run.scratch, ["uninstall", ...yes, name]), run);
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
