import { existsSync } from "node:fs";
import path from "node:path";
import { DIALECTS } from "../../../../robot/dialects/dialects.ts";
import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { type EntryPoint, parseEntryPoints } from "../../catalogue/formats.ts";
import type { InstalledApp } from "../../catalogue/installed-app.ts";
import { type InstalledApps, sitePackagesOf } from "../../catalogue/installed-apps.ts";
import { type FileOwners, fileOwnersIn, installedDistributions } from "../environment/installed-distributions.ts";
import type { Project } from "./project.ts";
import type { Wheel } from "./wheel.ts";

/** Modules that all apps need, and whose distribution has another name or no list of files (an editable install). */
const RESERVED_MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DIALECTS.map(({ sdk }) => [sdk.module, sdk.distribution])),
  pip: "pip",
  setuptools: "setuptools",
  pkg_resources: "setuptools",
  _distutils_hack: "setuptools",
};
/** Modules that Python imports at every start, if they exist; site module of the Python documentation. */
export const SITE_CUSTOMIZATION_MODULES = new Set(["sitecustomize", "usercustomize"]);
/** Folders of the environment that hold no code and that no other distribution can depend on by accident. */
const DATA_FOLDERS = /^(\.\.\/)+(share|etc|include)\//;
/** Collisions that an error names. */
const MAX_NAMED = 3;

/**
 * Refuses an app that would replace or hide what belongs to others: a module of the standard library, of the SDK or of
 * another distribution, a file or command of the environment, or an app of another distribution.
 * @param wheel the app's wheel, which is not installed yet
 * @throws WorkbenchError `app-invalid` that names the collisions
 */
export async function rejectCollisions(
  wheel: Wheel,
  project: Project,
  venv: string,
  installed: InstalledApps,
): Promise<void> {
  const [sitePackages = ""] = await sitePackagesOf(venv);
  const others = (await installed.list()).filter(
    ({ info }) => !sameName(String(info.extra.distribution), project.name),
  );
  const all = await fileOwnersIn(venv);
  const own = new Set([...all].filter(([, owner]) => sameName(owner, project.name)).map(([file]) => file));
  const owners = new Map([...all, ...others.map(mainModuleOf)].filter(([file]) => !own.has(file)));
  const badModules = moduleFaults(wheel, owners);
  const faults = [
    ...(await nameFaults(project, venv, installed)),
    ...wheelFaults(wheel, project),
    ...badModules.values(),
    ...fileFaults(
      { ...wheel, files: wheel.files.filter((file) => !own.has(file)) },
      owners,
      { venv, sitePackages },
      badModules,
    ),
    ...entryPointFaults(project, others),
  ];
  if (faults.length === 0) return;
  const more = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : "";
  const next = "An app may only bring files of its own package. Nothing was changed.";
  throw new WorkbenchError(
    "app-invalid",
    `The app cannot be installed: ${faults.slice(0, MAX_NAMED).join("; ")}${more}. ${next}`,
  );
}

/** The main module of an installed app, which an editable install does not list among its files. */
const mainModuleOf = ({ module, info }: InstalledApp): [string, string] => [
  `${module.replaceAll(".", "/")}.py`,
  String(info.extra.distribution),
];

/** An app's distribution must not replace one that other apps depend on. */
async function nameFaults({ name }: Project, venv: string, installed: InstalledApps): Promise<string[]> {
  const isInstalled = (await installedDistributions(venv)).some((distribution) => sameName(distribution.name, name));
  const isApp = (await installed.list()).some(({ info }) => sameName(String(info.extra.distribution), name));
  if (!isInstalled || isApp) return [];
  return [`its distribution is called ${name}, like one that is installed and is not a robot app`];
}

/** A wheel has the metadata of its project only, and offers the apps that the project names. */
function wheelFaults({ files, entryPoints }: Wheel, project: Project): string[] {
  const named = new Set(project.entryPoints.map(textOf));
  const offered = entryPoints.flatMap(parseEntryPoints).filter((point) => !named.has(textOf(point)));
  const folders = new Set(files.flatMap((file) => /^([^/]+)\.(dist|egg)-info\//.exec(file)?.[1] ?? []));
  const others = [...folders].filter((folder) => !sameName(folder.split("-", 1)[0] ?? "", project.name));
  return [
    ...others.map((folder) => `its wheel is of ${folder.split("-", 1)[0]}, not of ${project.name}`),
    ...offered.map((point) => `its wheel offers the app ${textOf(point)}, which its pyproject.toml does not name`),
  ];
}

const textOf = ({ key, module, className, dialect }: EntryPoint): string =>
  `${key} (${module}:${className}, ${dialect.group})`;

function entryPointFaults({ entryPoints }: Project, others: readonly InstalledApp[]): string[] {
  return entryPoints.flatMap(({ key }) => {
    const other = others.find(({ info }) => sameName(info.name, key))?.info.extra.distribution;
    return other === undefined ? [] : [`it offers the app ${key}, which ${other} offers already; remove that first`];
  });
}

/** The faults of the wheel's top-level modules, by module. */
function moduleFaults({ files, standardLibrary }: Wheel, owners: FileOwners): Map<string, string> {
  const standard = new Set(standardLibrary);
  const faults = new Map<string, string>();
  for (const module of new Set(files.map(moduleOf))) {
    if (module === null) continue;
    const owner = RESERVED_MODULES[module] ?? ownerOfModule(module, files, owners);
    if (standard.has(module)) faults.set(module, `it ships ${module}, a module of Python's standard library`);
    else if (SITE_CUSTOMIZATION_MODULES.has(module))
      faults.set(module, `it ships ${module}, which runs at every start of Python`);
    else if (owner !== null) faults.set(module, `it ships ${module}, which belongs to ${owner}`);
  }
  return faults;
}

/** The other distribution that a module belongs to; null for a new module, and for a namespace that both share. */
function ownerOfModule(module: string, files: readonly string[], owners: FileOwners): string | null {
  const theirs = [...owners].filter(([file]) => moduleOf(file) === module);
  const ours = files.filter((file) => moduleOf(file) === module);
  // A folder without __init__.py is a namespace, in which distributions have files side by side.
  const isNamespace = [...ours, ...theirs.map(([file]) => file)].every(
    (file) => file.includes("/") && file !== `${module}/__init__.py`,
  );
  return isNamespace ? null : (theirs[0]?.[1] ?? null);
}

/** The top-level module that a file in site-packages belongs to; null for metadata and for files elsewhere. */
function moduleOf(file: string): string | null {
  const [top = "", ...inside] = file.split("/");
  if (top === ".." || /\.(dist|egg)-info$/.test(top)) return null;
  if (inside.length > 0) return top;
  return /\.(py|so|pyd)$/.test(top) ? (top.split(".", 1)[0] ?? null) : null;
}

/** Files that belong to others or to the environment itself, or that lie outside of the folders for them. */
function fileFaults(
  { files, commandFolder }: Wheel,
  owners: FileOwners,
  { venv, sitePackages }: { venv: string; sitePackages: string },
  badModules: ReadonlyMap<string, string>,
): string[] {
  return files.flatMap((file) => {
    const shown = file.startsWith("../") ? path.relative(venv, path.resolve(sitePackages, file)) : file;
    const owner = owners.get(file);
    if (badModules.has(moduleOf(file) ?? "")) return [];
    if (owner !== undefined) return [`it ships ${shown}, which belongs to ${owner}`];
    if (/^[^/]+\.pth$/.test(file)) return [`it ships ${file}, which runs at every start of Python`];
    if (!file.startsWith("../")) return [];
    const isCommand = path.posix.dirname(file) === commandFolder;
    if (!isCommand && !DATA_FOLDERS.test(file)) return [`it ships ${shown}, outside of the folders for code and data`];
    return existsSync(path.resolve(sitePackages, file))
      ? [`it ships ${shown}, which the environment itself needs`]
      : [];
  });
}
