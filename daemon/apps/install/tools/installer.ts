import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "smol-toml";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Command } from "../../start/app-command.ts";
import { pythonEnvironment } from "../../start/python-environment.ts";
import { installedDistributions } from "../environment/installed-distributions.ts";
import { sdkConstraint } from "../environment/sdk-constraint.ts";
import { installRunId } from "../environment/venv-lock.ts";
import { commandName, runTool, type ToolRun } from "./run-tool.ts";

export interface InstallerParts {
  venv: string;
  /** The `uv` program, or null to use the environment's own pip. */
  uv: string | null;
  env: Readonly<Record<string, string | undefined>>;
  /**
   * Turns the command of a tool into one that confines it, because builds and environments run code of apps.
   * @param writes what it may write: its scratch folder alone, or the environment, too
   */
  confine?: ((command: Command, writes: "scratch" | "environment") => Command) | undefined;
  /** A Python that no app can have changed, for helpers that are not confined. Default: that of the environment. */
  trustedPython?: string | undefined;
}

/** A run of the installer. `scratch` is a folder for all files that it writes on the way. */
export interface InstallerRun extends ToolRun {
  scratch: string;
}

interface InstallOptions extends InstallerRun {
  /** What to install: wheels, folders and requirements. */
  packages: readonly string[];
  /** A distribution to install even when this version of it is installed already. */
  reinstall: string;
  /** False builds with the setuptools of the environment: quickly, and without a network. */
  isolated: boolean;
  /** Compiles all that was installed on every processor; pip itself uses one. */
  compileInParallel?: boolean;
}

/** Time for the build of an app, with compilers on a slow machine. */
const BUILD_TIMEOUT_MS = 10 * 60_000;
/** Time to download all that an app needs over a slow network. */
const INSTALL_TIMEOUT_MS = 20 * 60_000;
/** The time that builders write where they would write that of the build: the first of a ZIP file, in 1980. */
const SOURCE_DATE_EPOCH = "315532800";
/** Attempts of pip after the first one: without a network, more of them make a person wait. */
const RETRIES = 2;
const CHECK_TIMEOUT_MS = 2 * 60_000;
const UNINSTALL_TIMEOUT_MS = 2 * 60_000;

interface BuildOptions extends InstallerRun {
  /** Folder of the project. */
  project: string;
  /** False builds with the setuptools of the environment: quickly, and without a network. */
  isolated: boolean;
}

/**
 * Builds the wheel of a project; the environment is not changed.
 * @returns the wheel's file
 * @throws WorkbenchError as `runTool`; `install-failed`, too, when the build does not end
 */
export async function buildWheel(parts: InstallerParts, options: BuildOptions): Promise<string> {
  return withPlainPath(parts.venv, (venv) => buildIn(parts, venv, options));
}

/** Characters that setuptools takes as they are in the path of an environment: it looks for variables in `$x` and `{x}`. */
const PLAIN_PATH = /^[\w./@%+,~ -]+$/;

/** A file or folder as a requirement. In its path, or after `name @ `, pip would take what follows a `;` for a condition. */
export const fileRequirement = (file: string): string => pathToFileURL(file).href.replaceAll(";", "%3B");

/** Runs work with an environment's path, or with a link to it that has no other characters. */
async function withPlainPath<T>(venv: string, work: (venv: string) => Promise<T>): Promise<T> {
  if (PLAIN_PATH.test(venv)) return work(venv);
  const folder = await mkdtemp(path.join(tmpdir(), "robot-venv-"));
  try {
    const link = path.join(folder, "venv");
    await symlink(path.resolve(venv), link);
    return await work(link);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildIn(parts: InstallerParts, venv: string, options: BuildOptions): Promise<string> {
  const folder = path.join(options.scratch, "wheel");
  const built = await buildCommand({ ...parts, venv }, options, folder);
  const command = { ...built, env: { ...built.env, SOURCE_DATE_EPOCH } };
  await runConfined(parts, command, "scratch", BUILD_TIMEOUT_MS, options).catch((error: Error) => {
    if (!(error instanceof WorkbenchError) || error.code !== "deadline-passed") throw error;
    // The build runs code of the app, so that it does not end is the app's fault.
    throw new WorkbenchError("install-failed", `The build of the app did not end: ${error.message}`, { cause: error });
  });
  const [wheel] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new WorkbenchError("install-failed", "The build of the app made no wheel.");
  return path.join(folder, wheel);
}

/** What pip has setuptools do, without a second for pip itself. */
const BUILD_WITH_SETUPTOOLS =
  "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1], {'--global-option': ['--quiet']})";

async function buildCommand(
  parts: InstallerParts,
  { project, isolated, scratch }: BuildOptions,
  folder: string,
): Promise<Command & { name?: string }> {
  const python = pythonOf(parts);
  const isolation = isolated ? [] : ["--no-build-isolation"];
  if (parts.uv !== null)
    return uvCommand(parts, scratch, [
      "build",
      "--wheel",
      ...isolation,
      "--python",
      python,
      "--out-dir",
      folder,
      project,
    ]);
  if (!isolated && (await isBuiltBySetuptools(project)))
    return {
      ...pipCommand(parts, scratch, []),
      name: "setuptools",
      args: ["-I", "-c", BUILD_WITH_SETUPTOOLS, folder],
      cwd: project,
    };
  const options = ["--no-deps", "--progress-bar", "off", ...isolation, "--wheel-dir", folder];
  return pipCommand(parts, scratch, ["wheel", ...options, fileRequirement(project)]);
}

/** Whether a project names setuptools itself as what builds it, not a module of its own. */
async function isBuiltBySetuptools(project: string): Promise<boolean> {
  const { "build-system": system } = parse(await readFile(path.join(project, "pyproject.toml"), "utf8")) as {
    "build-system"?: Record<string, unknown>;
  };
  return system?.["build-backend"] === "setuptools.build_meta" && system["backend-path"] === undefined;
}

/** Installs packages into an environment. @throws WorkbenchError as `runTool` */
export async function installInto(parts: InstallerParts, options: InstallOptions): Promise<void> {
  const { reinstall, isolated, packages } = options;
  const shared = [...(isolated ? [] : ["--no-build-isolation"]), ...sdkConstraint(parts.venv), ...packages];
  if (parts.uv !== null) {
    return run(parts, ["install", "--reinstall-package", reinstall, ...shared], INSTALL_TIMEOUT_MS, options);
  }
  // pip leaves a wheel out whose version is installed, and its --force-reinstall reinstalls all dependencies as well.
  const isInstalled = (await installedDistributions(parts.venv)).some(({ name }) => sameName(name, reinstall));
  if (isInstalled && packages.some((name) => name.endsWith(".whl"))) await uninstallFrom(parts, reinstall, options);
  const compile = options.compileInParallel === true;
  const flags = ["--progress-bar", "off", ...(compile ? ["--no-compile"] : [])];
  await run(parts, ["install", ...flags, ...shared], INSTALL_TIMEOUT_MS, options);
  if (compile) await compileAll(parts, options);
}

/**
 * Installs packages into a folder that is no environment, for the Python of one.
 * @throws WorkbenchError as `runTool`
 */
export async function installIntoFolder(
  parts: InstallerParts,
  {
    packages,
    target,
    withDependencies = true,
    ...options
  }: InstallerRun & { packages: readonly string[]; target: string; withDependencies?: boolean },
): Promise<void> {
  const flags = [...(parts.uv === null ? ["--progress-bar", "off"] : []), ...(withDependencies ? [] : ["--no-deps"])];
  await run(parts, ["install", ...flags, "--target", target, ...packages], INSTALL_TIMEOUT_MS, options);
}

/** Compiles what is not compiled yet, as pip does after an install. */
async function compileAll(parts: InstallerParts, options: InstallerRun): Promise<void> {
  const args = ["-I", "-m", "compileall", "-q", "-q", "-j", "0", path.join(parts.venv, "lib")];
  const command = { ...pipCommand(parts, options.scratch, []), args };
  await runConfined(parts, command, "environment", INSTALL_TIMEOUT_MS, options).catch((error: unknown) => {
    // Some packages have files for other versions of Python, which never run here.
    if (!(error instanceof WorkbenchError) || error.code !== "install-failed") throw error;
  });
}

/** Reinstalls one distribution without its dependencies. @throws WorkbenchError as `runTool` */
export async function reinstallInto(parts: InstallerParts, requirement: string, options: InstallerRun): Promise<void> {
  const flags = parts.uv === null ? ["--force-reinstall", "--progress-bar", "off"] : ["--reinstall"];
  await run(parts, ["install", ...flags, "--no-deps", requirement], INSTALL_TIMEOUT_MS, options);
}

/** Prints the unmet requirements of the installed distributions. @throws WorkbenchError as `runTool` when there are any */
export async function checkEnvironment(parts: InstallerParts, options: InstallerRun): Promise<void> {
  await run(parts, ["check"], CHECK_TIMEOUT_MS, options);
}

/** Removes a distribution from an environment. @throws WorkbenchError as `runTool` */
export async function uninstallFrom(parts: InstallerParts, name: string, options: InstallerRun): Promise<void> {
  const yes = parts.uv === null ? ["--yes"] : [];
  await run(parts, ["uninstall", ...yes, name], UNINSTALL_TIMEOUT_MS, options);
}

function run(parts: InstallerParts, args: string[], timeoutMs: number, options: InstallerRun): Promise<void> {
  return runConfined(parts, toolCommand(parts, options.scratch, args), "environment", timeoutMs, options);
}

function runConfined(
  parts: InstallerParts,
  { name, ...command }: Command & { name?: string },
  writes: "scratch" | "environment",
  timeoutMs: number,
  options: InstallerRun,
): Promise<void> {
  const confined = parts.confine?.(command, writes) ?? command;
  const python = trustedPythonOf(parts);
  const more = { name: name ?? commandName(command), python, runId: installRunId(parts.venv), timeoutMs };
  return runTool({ ...confined, ...more, log: logIn(options.scratch) }, options);
}

/** Where pip says what it does not print, for example why it found no packages on a page. */
const logIn = (scratch: string): string => path.join(scratch, "pip.log");

function toolCommand(parts: InstallerParts, scratch: string, args: readonly string[]): Command {
  const [action = "", ...rest] = args;
  return parts.uv === null
    ? pipCommand(parts, scratch, args)
    : uvCommand(parts, scratch, ["pip", action, "--python", pythonOf(parts), ...rest]);
}

/** The Python of helpers that run outside of the confinement. */
export const trustedPythonOf = (parts: Pick<InstallerParts, "venv" | "trustedPython">): string =>
  parts.trustedPython ?? pythonOf(parts);

const pythonOf = ({ venv }: Pick<InstallerParts, "venv">): string => path.join(venv, "bin", "python");

function pipCommand(parts: InstallerParts, scratch: string, args: readonly string[]): Command {
  const retries = ["--retries", String(RETRIES)];
  const options = ["-m", "pip", "--disable-pip-version-check", "--no-input", ...retries, "--log", logIn(scratch)];
  return {
    file: pythonOf(parts),
    args: [...options, ...args],
    cwd: scratch,
    env: { ...pythonEnvironment(parts.env), TMPDIR: scratch },
  };
}

function uvCommand({ uv, env }: InstallerParts, scratch: string, args: readonly string[]): Command {
  return { file: uv ?? "uv", args, cwd: scratch, env: { ...pythonEnvironment(env), TMPDIR: scratch } };
}
