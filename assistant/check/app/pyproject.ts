import { parse, TomlError } from "smol-toml";
import { closestMatch } from "../../../common/closest-match.ts";
import { DEFAULT_DIALECT, DIALECTS, type Dialect } from "../../../robot/dialects/dialects.ts";
import type { ParseFault } from "./parsed.ts";

type Table = Readonly<Record<string, unknown>>;

/** The parts of a `pyproject.toml` that the requirements look at (https://packaging.python.org/specifications/pyproject-toml/). */
export interface Pyproject {
  /** `project.name`, of any type. */
  name: unknown;
  /** `project.entry-points`: a table of entry points by group. */
  groups: Table;
  /** The dialect whose group the package has, else the one with a similar group; the default one when there is none. */
  dialect: Dialect;
  /** The entry points of the dialect's group; undefined when there is no such group. */
  apps: Table | undefined;
  document: Table;
}

export function parsePyproject(text: string): { value: Pyproject } | { error: ParseFault } {
  try {
    const document = parse(text.replace(/^\uFEFF/, "")) as Table;
    const project = tableOf(document.project) ?? {};
    const groups = tableOf(project["entry-points"]) ?? {};
    const dialect =
      DIALECTS.find(({ group }) => tableOf(groups[group]) !== undefined) ??
      DIALECTS.find(({ group }) => closestMatch(group, Object.keys(groups)) !== undefined) ??
      DEFAULT_DIALECT;
    return { value: { name: project.name, groups, dialect, apps: tableOf(groups[dialect.group]), document } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, message = error.message] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return { error: { message, line: error.line } };
  }
}

/** The value at a path of keys; undefined when there is none. */
export function valueAt(table: Table, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => tableOf(inner)?.[key], table);
}

export function tableOf(value: unknown): Table | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}
