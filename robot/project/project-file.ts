import { parse, TomlError } from "smol-toml";
import { closestMatch } from "../../common/closest-match.ts";
import { type FaultText, projectFaults } from "../../common/python/project/project-faults.ts";
import { isTable, type Table, textsOf, valueAt } from "../../common/python/project/shape.ts";
import type { SyntaxFault } from "../../common/syntax-fault.ts";
import { DEFAULT_DIALECT, DIALECTS, type Dialect } from "../dialects/dialects.ts";

/** An app's `pyproject.toml` (https://packaging.python.org/specifications/pyproject-toml/). */
export interface ProjectFile {
  /** `project.name`, of any type. */
  name: unknown;
  /** `project.entry-points`: a table of entry points by group. */
  groups: Table;
  /** The dialect whose group the package has, else the one with a similar group; the default one when there is none. */
  dialect: Dialect;
  /** The entry points of the dialect's group; undefined when there is no such group. */
  apps: Table | undefined;
  /** What it needs to run, as it is written; null where the build decides, and for a value that is no list. */
  dependencies: readonly string[] | null;
  /** What has to be installed to build it (PEP 518). */
  buildRequires: readonly string[];
  /** The versions of Python that it runs on, as `>=3.12`; null for all. */
  requiresPython: string | null;
  document: Table;
}

/** Reads the text of an app's `pyproject.toml`. Its values may still be ones that no build accepts; see `faultsOf`. */
export function parseProjectFile(text: string): { value: ProjectFile } | { error: SyntaxFault } {
  if (text.startsWith("\uFEFF"))
    return {
      error: {
        message: "it begins with a byte order mark, which TOML does not have: save it as UTF-8 without BOM",
        line: 1,
      },
    };
  try {
    return { value: describe(parse(text)) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The excerpt of the file that follows does not fit in a sentence.
    const [, message = error.message] = /^(?:Invalid TOML document: )?(.*)/.exec(error.message) ?? [];
    return { error: { message, line: error.line } };
  }
}

function describe(document: Table): ProjectFile {
  const project = isTable(document.project) ? document.project : {};
  const groups = isTable(project["entry-points"]) ? project["entry-points"] : {};
  const dialect =
    DIALECTS.find(({ group }) => isTable(groups[group])) ??
    DIALECTS.find(({ group }) => closestMatch(group, Object.keys(groups)) !== undefined) ??
    DEFAULT_DIALECT;
  const apps = groups[dialect.group];
  const python = project["requires-python"];
  const isDynamic = textsOf(project.dynamic).includes("dependencies");
  const requires = valueAt(document, "build-system", "requires");
  return {
    name: project.name,
    groups,
    dialect,
    apps: isTable(apps) ? apps : undefined,
    dependencies: isDynamic || !Array.isArray(project.dependencies ?? []) ? null : textsOf(project.dependencies),
    buildRequires: requires === undefined ? ["setuptools"] : textsOf(requires),
    requiresPython: typeof python === "string" && python.trim() !== "" ? python.trim() : null,
    document,
  };
}

/**
 * What the build would refuse in an app's `pyproject.toml`, with what an app needs beyond that: a name.
 * @param paths the app's files, with "/" between folders
 */
export function faultsOf({ document }: ProjectFile, paths: readonly string[]): FaultText[] {
  if (document.project !== undefined) return projectFaults(document, paths);
  const message = 'There is no [project] table: write it with name = "my_app" and version = "0.1.0".';
  return [...projectFaults(document, paths), { at: ["project"], message }];
}
