import { WorkbenchError } from "../../robot/wire/errors.ts";
import { titleOf } from "../check/fix/app-names.ts";
import { STANDARD_MODULES } from "../check/python/standard-modules.ts";

/** The names of an app in its files. */
export interface AppNames {
  /** Name of its package, distribution, entry point and space: `my_app`. */
  name: string;
  className: string;
  title: string;
}

/** Limit of the hub for the name of a space, in characters. */
const MAX_LENGTH = 96;

/** Keywords of Python in lower case (https://docs.python.org/3/reference/lexical_analysis.html#keywords). */
const KEYWORDS: ReadonlySet<string> = new Set(
  `and as assert async await break class continue def del elif else except false finally for from global if import in is
  lambda none nonlocal not or pass raise return true try while with yield`.split(/\s+/),
);

/** Modules of the standard library in lower case, also those that no app imports: an app of their name would shadow them. */
const SHADOWED: ReadonlySet<string> = new Set(
  [...STANDARD_MODULES, "binhex", "test"].map((name) => name.toLowerCase()),
);

/** Packages in every app's environment, and names of the SDK's modules. */
const RESERVED: ReadonlySet<string> = new Set(
  "robot_sdk robot robot_app numpy websockets fastapi starlette uvicorn pydantic pip setuptools pkg_resources".split(
    " ",
  ),
);

/** Normalises a name as PEP 503 does, but with underscores, which modules need, instead of hyphens. */
function normalised(given: string): string {
  return given.toLowerCase().replace(/[-_.]+/g, "_");
}

/**
 * Converts a name to one that is valid for Python, pip and the hub.
 * @throws WorkbenchError `usage` with the value, the rule and a valid name
 */
export function parseAppName(given: string): AppNames {
  const name = normalised(given);
  const fault = problemWith(name);
  if (fault !== undefined) {
    const folder = given.lastIndexOf("/");
    const next =
      folder > 0
        ? `The folder comes second: create ${suggestAppName(given.slice(folder + 1))} ${given.slice(0, folder)}`
        : `Name it ${suggestAppName(given)}, for example.`;
    throw new WorkbenchError("usage", `The app cannot be named ${JSON.stringify(given)}: ${fault}. ${next}`);
  }
  const title = titleOf(name);
  const pascal = title.replaceAll(" ", "");
  return { name, className: pascal.endsWith("App") ? pascal : `${pascal}App`, title };
}

/** A valid name that resembles the given one. */
export function suggestAppName(given: string): string {
  const plain = given.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const joined = words.join("_") || "my_app";
  const prefixed = /^\d/.test(joined) ? `app_${joined}` : joined;
  const short = prefixed.slice(0, MAX_LENGTH).replace(/_$/, "");
  return problemWith(short) === undefined ? short : `my_${short}`;
}

function problemWith(name: string): string | undefined {
  if (!/^[a-z](?:[a-z0-9_]*[a-z0-9])?$/.test(name)) {
    return "it must begin with a letter from a to z and contain letters, digits and single underscores only";
  }
  if (name.length > MAX_LENGTH) return `it has ${name.length} characters, and the hub allows at most ${MAX_LENGTH}`;
  if (KEYWORDS.has(name)) return `${name} is a keyword of Python`;
  if (SHADOWED.has(name)) return `${name} is a module of Python's standard library, which it would shadow`;
  if (RESERVED.has(name)) return `${name} is a package of the SDK or of every app's environment`;
  return undefined;
}
