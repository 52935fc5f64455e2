import { type Dialect, dialectOfGroup } from "../../../robot/dialects/dialects.ts";
import { splitEntryPoint } from "../../../robot/wire/apps/entry-point.ts";

/** An entry point: `key = module:Class`. */
export interface EntryPoint {
  key: string;
  module: string;
  className: string;
  /** The dialect of its group. */
  dialect: Dialect;
}

/**
 * The entry points of robot apps in an `entry_points.txt`
 * (https://packaging.python.org/specifications/entry-points/).
 */
export function parseEntryPoints(text: string): EntryPoint[] {
  let dialect: Dialect | undefined;
  const found: EntryPoint[] = [];
  for (const line of text.split(/\r?\n/).map((raw) => raw.trim())) {
    const group = /^\[(.*)\]$/.exec(line)?.[1]?.trim();
    if (group !== undefined) dialect = dialectOfGroup(group);
    const entry = /^([^#;[=][^=]*?)\s*=\s*(.+)$/.exec(line);
    if (dialect === undefined || entry === null) continue;
    const point = parseEntryPoint(entry[1] ?? "", entry[2] ?? "", dialect);
    if (point !== null) found.push(point);
  }
  return found;
}

/** Null when the value is not of the form `module:Class`. */
export function parseEntryPoint(key: string, value: string, dialect: Dialect): EntryPoint | null {
  const point = splitEntryPoint(value);
  return point === undefined ? null : { key, ...point, dialect };
}

export interface Metadata {
  name: string;
  version: string;
  summary: string;
  url: string | null;
}

/** The head of a `METADATA` (or `PKG-INFO`) file (https://packaging.python.org/specifications/core-metadata/). */
export function parseMetadata(text: string): Metadata {
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const url = field("Home-page") || (field("Project-URL").split(",")[1]?.trim() ?? "");
  return {
    name: field("Name"),
    version: field("Version"),
    summary: field("Summary"),
    url: /^https?:\/\//.test(url) ? url : null,
  };
}

/** The folder of a `direct_url.json`, and whether the install is editable (PEP 610). */
export function parseDirectUrl(text: string): { folder: string | null; editable: boolean } {
  try {
    const { url, dir_info } = JSON.parse(text);
    const folder =
      typeof url === "string" && url.startsWith("file://") ? decodeURIComponent(new URL(url).pathname) : null;
    return { folder, editable: dir_info?.editable === true };
  } catch {
    return { folder: null, editable: false };
  }
}

/** The folders that a `.pth` file adds to the import path (https://docs.python.org/3/library/site.html). */
export function parsePth(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.startsWith("#") && !/^import[ \t]/.test(line));
}

/** Text between three quotes, as docstrings have them. */
const LONG_STRING = /("""|''')[\s\S]*?\1/g;

/** The literal that an app's `main.py` gives its class as `custom_app_url`; null when there is none. */
export function parseCustomAppUrl(source: string): string | null {
  const assignment = /^[ \t]+custom_app_url[ \t]*(?::[^=\n]+)?=[ \t]*\(?\s*(["'])(https?:\/\/[^"'\n]+)\1/m;
  return assignment.exec(source.replace(LONG_STRING, ""))?.[2] ?? null;
}
