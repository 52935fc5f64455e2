import { parse, TomlError } from "smol-toml";
import { APP_GROUP } from "../../../robot/wire/app-package.ts";
import type { Fault } from "./parsed.ts";

type Table = Readonly<Record<string, unknown>>;

/** What the check needs of a `pyproject.toml` (https://packaging.python.org/specifications/pyproject-toml/). */
export interface Pyproject {
  /** `project.name` as it is, of whatever type. */
  name: unknown;
  /** `project.entry-points`, one table a group. */
  groups: Table;
  /** The entry points of robot apps; undefined when there is no such group. */
  apps: Table | undefined;
}

/** Reads the text of a `pyproject.toml`. */
export function parsePyproject(text: string): { value: Pyproject } | { fault: Fault } {
  try {
    const project = tableOf(parse(text.replace(/^\uFEFF/, "")).project) ?? {};
    const groups = tableOf(project["entry-points"]) ?? {};
    return { value: { name: project.name, groups, apps: tableOf(groups[APP_GROUP]) } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, message = error.message] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return { fault: { message, line: error.line } };
  }
}

function tableOf(value: unknown): Table | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

/** The two halves of an entry point `module:Class`; undefined for any other shape. */
export function splitEntryPoint(value: unknown): { module: string; className: string } | undefined {
  if (typeof value !== "string") return undefined;
  const [, module, className] = /^\s*([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_]\w*)\s*$/.exec(value) ?? [];
  return module === undefined || className === undefined ? undefined : { module, className };
}
