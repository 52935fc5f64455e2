import { parseModule } from "../../../common/python/parse-module.ts";
import type { Module } from "../../../common/python/syntax-tree.ts";
import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import { splitEntryPoint } from "../../../robot/wire/apps/entry-point.ts";
import { AppModules } from "../python/app-modules.ts";
import { type Parsed, parseFile } from "./parsed.ts";
import { type Pyproject, parsePyproject } from "./pyproject.ts";
import type { Files } from "./read-files.ts";

/** An app as the requirements see it: plain data, so that a check is a pure function. */
export interface App {
  files: Files;
  pyproject: Parsed<Pyproject>;
  /** The dialect that it is written in. */
  dialect: Dialect;
  /** Its name, that of its Python package where the dialect prescribes it; undefined when nothing names one. */
  name: string | undefined;
  /** The folder of the module that the daemon runs, with `src/` where the package lies in it. */
  packageFolder: string | undefined;
  /** The class that its entry point names. */
  className: string | undefined;
  /** The module that the daemon runs, `<app_name>/main.py`. */
  main: Parsed<Module> & { path: string };
  /** Its Python modules. */
  modules: AppModules;
}

/** Parses the files of an app that the requirements look into. */
export function describeApp(files: Files): App {
  const pyproject = parseFile(files.get("pyproject.toml"), parsePyproject);
  const dialect = pyproject.status === "parsed" ? pyproject.value.dialect : DEFAULT_DIALECT;
  const names = findNames(pyproject, files);
  const path =
    (dialect.prescribesForm ? undefined : findModule(pyproject, files)) ?? `${names.name ?? "<app_name>"}/main.py`;
  const packageFolder = names.name === undefined ? undefined : path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const main = { ...parseFile(files.get(path), parseModule), path };
  return { files, pyproject, dialect, ...names, packageFolder, main, modules: new AppModules(files, main) };
}

/** The file of the module that the entry point names, also in `src/`; undefined when the app ships none. */
function findModule(pyproject: Parsed<Pyproject>, files: Files): string | undefined {
  if (pyproject.status !== "parsed") return undefined;
  const point = splitEntryPoint(Object.values(pyproject.value.apps ?? {})[0]);
  const module = point?.module.replaceAll(".", "/");
  return ["", "src/"].map((root) => `${root}${module}.py`).find((file) => files.has(file));
}

/**
 * The entry point determines the name. When it is wrong, the name is that of an existing package folder, so that one
 * wrong entry point is one finding and the other requirements are still checked.
 */
function findNames(pyproject: Parsed<Pyproject>, files: Files): Pick<App, "name" | "className"> {
  const folders = [...files.keys()].flatMap(
    (path) => /^(?:src\/)?([^/]+)\/(?:main|__init__)\.py$/.exec(path)?.[1] ?? [],
  );
  if (pyproject.status !== "parsed") return { name: folders[0], className: undefined };
  const [entry] = Object.entries(pyproject.value.apps ?? {});
  const point = splitEntryPoint(entry?.[1]);
  const project = typeof pyproject.value.name === "string" ? pyproject.value.name.replace(/[-.]/g, "_") : undefined;
  const candidates = [entry?.[0], point?.module.split(".")[0], project];
  const name = candidates.find((each) => each !== undefined && folders.includes(each)) ?? folders[0];
  return { name: name ?? candidates.find((each) => each !== undefined), className: point?.className };
}
