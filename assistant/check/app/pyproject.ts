import { parse, TomlError } from "smol-toml";
import { APP_GROUP } from "../../../robot/wire/apps/app-package.ts";
import type { ParseFault } from "./parsed.ts";

type Table = Readonly<Record<string, unknown>>;

/** The parts of a `pyproject.toml` that the requirements look at (https://packaging.python.org/specifications/pyproject-toml/). */
export interface Pyproject {
  /** `project.name`, of any type. */
  name: unknown;
  /** `project.entry-points`: a table of entry points by group. */
  groups: Table;
  /** The entry points of the robot-app group; undefined when there is no such group. */
  apps: Table | undefined;
}

/** Parses the text of a `pyproject.toml`. */
export function parsePyproject(text: string): { value: Pyproject } | { error: ParseFault } {
  try {
    const project = tableOf(parse(text.replace(/^\uFEFF/, "")).project) ?? {};
    const groups = tableOf(project["entry-points"]) ?? {};
    return { value: { name: project.name, groups, apps: tableOf(groups[APP_GROUP]) } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, message = error.message] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return { error: { message, line: error.line } };
  }
}

function tableOf(value: unknown): Table | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

/** Splits an entry point `module:Class`; undefined for any other value. */
export function splitEntryPoint(value: unknown): { module: string; className: string } | undefined {
  if (typeof value !== "string") return undefined;
  const [, module, className] = /^\s*([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_]\w*)\s*$/.exec(value) ?? [];
  return module === undefined || className === undefined ? undefined : { module, className };
}
