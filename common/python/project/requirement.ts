import { valid, validRange } from "@renovatebot/pep440";

/** A dependency, as `numpy[extra]>=2; python_version < "3.13"` (https://packaging.python.org/specifications/dependency-specifiers/). */
interface Requirement {
  /** As it is written; `normalizeName` makes it comparable. */
  name: string;
  extras: readonly string[];
  /** `>=2`; empty for any version. */
  specifier: string;
  /** The address after `@`; undefined for one of an index. */
  url: string | undefined;
}

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const HEAD = new RegExp(`^\\s*(${NAME})\\s*(?:\\[\\s*(${NAME}(?:\\s*,\\s*${NAME})*)?\\s*\\])?\\s*`);
const URL_PART = /^@\s*([^\s]+)(?:\s+(?=;)|\s*$)/;

/** Names of distributions are compared without case, and with runs of - _ . alike (PEP 503). */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

/** Whether a text is the name of a distribution or of an extra. */
export const isName = (text: string): boolean => new RegExp(`^${NAME}$`).test(text);

/** Whether a text is a version (PEP 440). */
export const isVersion = (text: string): boolean => valid(text) !== null;

/** Whether a text names versions, as `>=3.10,<4` or nothing for all (PEP 440). */
export function isSpecifier(text: string): boolean {
  return text
    .split(",")
    .map((each) => each.trim())
    .every((each) => each === "" || /^===\s*[^\s,;)]+$/.test(each) || isClause(each));
}

/** An operator and a version; the library accepts a version alone, too. */
function isClause(text: string): boolean {
  const [, operator, version = ""] = /^(~=|==|!=|<=|>=|<|>)\s*(\S+)$/.exec(text) ?? [];
  if (operator === undefined) return false;
  const isEquality = operator === "==" || operator === "!=";
  if (!isEquality && /[*+]/.test(version)) return false;
  if (operator === "~=" && !/^v?(?:\d+!)?\d+\.\d/i.test(version)) return false;
  return version.endsWith(".*") ? validRange(`${operator}${version}`) && !/[+]/.test(version) : isVersion(version);
}

/** Reads a dependency; undefined for a text that is none (PEP 508). */
export function parseRequirement(text: string): Requirement | undefined {
  const [head = "", name, extras = ""] = HEAD.exec(text) ?? [];
  if (name === undefined) return undefined;
  const found = { name, extras: extras.split(",").flatMap((each) => each.trim() || []) };
  const rest = text.slice(head.length);
  if (rest.startsWith("@")) {
    const [part = "", url] = URL_PART.exec(rest) ?? [];
    if (url === undefined || !isMarkerEnd(rest.slice(part.length))) return undefined;
    return { ...found, specifier: "", url };
  }
  const at = rest.indexOf(";");
  const before = (at < 0 ? rest : rest.slice(0, at)).trim();
  const specifier = /^\((.*)\)$/s.exec(before)?.[1] ?? before;
  if (!isSpecifier(specifier) || /^\s*,/.test(specifier) || !isMarkerEnd(at < 0 ? "" : rest.slice(at)))
    return undefined;
  return { ...found, specifier: specifier.trim(), url: undefined };
}

const VARIABLE =
  "python_version|python_full_version|os[._]name|sys[._]platform|platform_(?:release|system)|platform[._](?:version|machine|python_implementation)|python_implementation|implementation_(?:name|version)|extras?|dependency_groups";
const VALUE = `(?:(?:${VARIABLE})\\b|'[^']*'|"[^"]*")`;
const COMPARISON = new RegExp(`^${VALUE}\\s*(?:===|==|~=|!=|<=|>=|<|>|\\bnot\\s+in\\b|\\bin\\b)\\s*${VALUE}\\s*`);

/** Whether a text is nothing, or a semicolon with a marker behind. */
function isMarkerEnd(text: string): boolean {
  if (text.trim() === "") return true;
  if (!text.startsWith(";")) return false;
  const rest = markerIn(text.slice(1).trimStart());
  return rest === "";
}

/** The text behind a marker; undefined where there is none. */
function markerIn(text: string): string | undefined {
  const rest = text.startsWith("(") ? closed(markerIn(text.slice(1).trimStart())) : comparisonIn(text);
  const [joint] = rest === undefined ? [] : (/^(?:and|or)\b\s*/.exec(rest) ?? []);
  return rest === undefined || joint === undefined ? rest : markerIn(rest.slice(joint.length));
}

const closed = (rest: string | undefined): string | undefined =>
  rest?.startsWith(")") ? rest.slice(1).trimStart() : undefined;

function comparisonIn(text: string): string | undefined {
  const [whole] = COMPARISON.exec(text) ?? [];
  return whole === undefined ? undefined : text.slice(whole.length);
}
