import { parseModule } from "../../../common/python/parse-module.ts";
import { lowestPython, type PythonVersion } from "../../../common/python/project/python-version.ts";
import type { Module } from "../../../common/python/syntax-tree.ts";
import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import { type ProjectFile, parseProjectFile } from "../../../robot/project/project-file.ts";
import { splitEntryPoint } from "../../../robot/wire/apps/entry-point.ts";
import { AppModules } from "../python/app-modules.ts";
import { type Parsed, parseFile } from "./parsed.ts";
import type { Files } from "./read-files.ts";

/** An app as the requirements see it: plain data, so that a check is a pure function. */
export interface App {
  files: Files;
  pyproject: Parsed<ProjectFile>;
  dialect: Dialect;
  /** Its name, that of its Python package where the dialect prescribes it; undefined when nothing names one. */
  name: string | undefined;
  /** The folder of the module that the daemon runs, with `src/` where the package lies in it. */
  packageFolder: string | undefined;
  /** The name of its entry point, of the first one where there are several; undefined without one. */
  entryName: string | undefined;
  /** The module and the class that its entry point names; undefined when it names none. */
  entryPoint: ReturnType<typeof splitEntryPoint>;
  /** The module that the daemon runs, `<app_name>/main.py`. */
  main: Parsed<Module> & { path: string };
  modules: AppModules;
}

/**
 * Parses the files of an app that the requirements look into.
 * @param python the version whose syntax counts; the lowest that requires-python admits unless given
 */
export function describeApp(files: Files, python?: PythonVersion): App {
  const pyproject = parseFile(files.get("pyproject.toml"), parseProjectFile);
  const project = pyproject.status === "parsed" ? pyproject.value : undefined;
  const dialect = project?.dialect ?? DEFAULT_DIALECT;
  const [entry] = Object.entries(project?.apps ?? {});
  const entryName = entry?.[0];
  const entryPoint = splitEntryPoint(entry?.[1]);
  const projectName = typeof project?.name === "string" ? project.name.replace(/[-.]/g, "_") : undefined;
  const name = findName([entryName, entryPoint?.module.split(".")[0], projectName], files);
  const module = dialect.prescribesForm ? undefined : findModule(entryPoint?.module, files);
  const path = module ?? `${name ?? "<app_name>"}/main.py`;
  const packageFolder = name === undefined ? undefined : path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const parse = (text: string) => parseModule(text, python ?? lowestPython(project?.requiresPython ?? null));
  const main = { ...parseFile(files.get(path), parse), path };
  const modules = new AppModules(files, main, parse);
  return { files, pyproject, dialect, name, packageFolder, entryName, entryPoint, main, modules };
}

/** The file of a module, also in `src/`; undefined when the app ships none. */
function findModule(module: string | undefined, files: Files): string | undefined {
  const path = `${module?.replaceAll(".", "/")}.py`;
  return module === undefined ? undefined : [path, `src/${path}`].find((file) => files.has(file));
}

/**
 * The entry point determines the name. When it is wrong, the name is that of an existing package folder, so that one
 * wrong entry point is one finding and the other requirements are still checked.
 */
function findName(candidates: readonly (string | undefined)[], files: Files): string | undefined {
  const folders = [...files.keys()].flatMap(
    (path) => /^(?:src\/)?([^/]+)\/(?:main|__init__)\.py$/.exec(path)?.[1] ?? [],
  );
  const named = candidates.filter((each) => each !== undefined);
  return named.find((each) => folders.includes(each)) ?? folders[0] ?? named[0];
}
