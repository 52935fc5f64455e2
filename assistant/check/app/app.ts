import type { Module } from "py-ast";
import { parsePython } from "../python/parse.ts";
import { type Parsed, parsedOf } from "./parsed.ts";
import { type Pyproject, parsePyproject, splitEntryPoint } from "./pyproject.ts";
import type { Files } from "./read-files.ts";

/** An app as the checks see it: data alone, so that a check is a function of it. */
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

/** Works out what the files of a folder mean. */
export function describeApp(files: Files): App {
  const pyproject = parsedOf(files.get("pyproject.toml"), parsePyproject);
  const { name, className } = namesOf(pyproject, files);
  const path = `${name ?? "<app_name>"}/main.py`;
  return { files, pyproject, name, className, main: { ...parsedOf(files.get(path), parsePython), path } };
}

/**
 * The entry point says the name. When it is wrong, that is one finding; the rest of the app is still judged, by the
 * folder that is there.
 */
function namesOf(pyproject: Parsed<Pyproject>, files: Files): Pick<App, "name" | "className"> {
  const folders = [...files.keys()].flatMap((path) => /^([^/]+)\/(?:main|__init__)\.py$/.exec(path)?.[1] ?? []);
  if (pyproject.status !== "parsed") return { name: folders[0], className: undefined };
  const [entry] = Object.entries(pyproject.value.apps ?? {});
  const point = splitEntryPoint(entry?.[1]);
  const project = typeof pyproject.value.name === "string" ? pyproject.value.name.replace(/[-.]/g, "_") : undefined;
  const said = [entry?.[0], point?.module.split(".")[0], project];
  const name = said.find((each) => each !== undefined && folders.includes(each)) ?? folders[0];
  return { name: name ?? said.find((each) => each !== undefined), className: point?.className };
}
