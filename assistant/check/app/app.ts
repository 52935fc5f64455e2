import { parseModule } from "../../python/parse-module.ts";
import type { Module } from "../../python/syntax-tree.ts";
import { type Parsed, parseFile } from "./parsed.ts";
import { type Pyproject, parsePyproject, splitEntryPoint } from "./pyproject.ts";
import type { Files } from "./read-files.ts";

/** An app as the requirements see it: plain data, so that a check is a pure function. */
export interface App {
  files: Files;
  pyproject: Parsed<Pyproject>;
  /** The folder of its Python package, `<app_name>`; undefined when nothing points to one. */
  name: string | undefined;
  /** The class that its entry point names. */
  className: string | undefined;
  /** `<app_name>/main.py`. */
  main: Parsed<Module> & { path: string };
}

/** Parses the files of an app that the requirements look into. */
export function describeApp(files: Files): App {
  const pyproject = parseFile(files.get("pyproject.toml"), parsePyproject);
  const { name, className } = findNames(pyproject, files);
  const path = `${name ?? "<app_name>"}/main.py`;
  return { files, pyproject, name, className, main: { ...parseFile(files.get(path), parseModule), path } };
}

/**
 * The entry point determines the name. When it is wrong, the name is that of an existing package folder, so that one
 * wrong entry point is one finding and the other requirements are still checked.
 */
function findNames(pyproject: Parsed<Pyproject>, files: Files): Pick<App, "name" | "className"> {
  const folders = [...files.keys()].flatMap((path) => /^([^/]+)\/(?:main|__init__)\.py$/.exec(path)?.[1] ?? []);
  if (pyproject.status !== "parsed") return { name: folders[0], className: undefined };
  const [entry] = Object.entries(pyproject.value.apps ?? {});
  const point = splitEntryPoint(entry?.[1]);
  const project = typeof pyproject.value.name === "string" ? pyproject.value.name.replace(/[-.]/g, "_") : undefined;
  const candidates = [entry?.[0], point?.module.split(".")[0], project];
  const name = candidates.find((each) => each !== undefined && folders.includes(each)) ?? folders[0];
  return { name: name ?? candidates.find((each) => each !== undefined), className: point?.className };
}
