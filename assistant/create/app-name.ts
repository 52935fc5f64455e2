import { WorkbenchError } from "../../robot/wire/errors.ts";
import { KEYWORDS, STANDARD_MODULES } from "./python-names.ts";

/** An app by all the names that its files use. */
export interface AppName {
  /** Its package, distribution, entry point and space: `my_app`. */
  name: string;
  /** Its class: `MyApp`. */
  className: string;
  /** For people: `My App`. */
  title: string;
}

/** What the hub allows for the name of a space. */
const LONGEST = 96;

/** Packages that every app's environment holds, and what the SDK's classes are called. */
const TAKEN: ReadonlySet<string> = new Set(
  "robot_sdk robot robot_app numpy websockets fastapi starlette uvicorn pydantic pip setuptools pkg_resources".split(
    " ",
  ),
);

/** A name as Python and pip compare it: PEP 503, with the underscore that modules need for the hyphen. */
export function normalised(given: string): string {
  return given.toLowerCase().replace(/[-_.]+/g, "_");
}

/**
 * The name that somebody gives an app, fit for Python, pip and the hub alike.
 * @throws WorkbenchError `usage` with the value, the rule and a name that fits
 */
export function appNameOf(given: string): AppName {
  const name = normalised(given);
  const fault = faultOf(name);
  if (fault !== undefined) {
    const next = `Call it ${suggestionFor(given)}, for example.`;
    throw new WorkbenchError("usage", `The app cannot be called ${JSON.stringify(given)}: ${fault}. ${next}`);
  }
  const words = name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const pascal = words.join("");
  return { name, className: pascal.endsWith("App") ? pascal : `${pascal}App`, title: words.join(" ") };
}

/** A name that fits and resembles the given one. */
export function suggestionFor(given: string): string {
  const plain = given.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const joined = words.join("_") || "my_app";
  const begun = /^\d/.test(joined) ? `app_${joined}` : joined;
  const short = begun.slice(0, LONGEST).replace(/_$/, "");
  return faultOf(short) === undefined ? short : `my_${short}`;
}

function faultOf(name: string): string | undefined {
  if (!/^[a-z](?:[a-z0-9_]*[a-z0-9])?$/.test(name)) {
    return "it must begin with a letter from a to z, and go on with letters, digits and single underscores between them";
  }
  if (name.length > LONGEST) return `it has ${name.length} characters, and the hub takes at most ${LONGEST}`;
  if (KEYWORDS.has(name)) return `${name} is a word of Python itself`;
  if (STANDARD_MODULES.has(name)) return `${name} is a module of Python's standard library, which it would hide`;
  if (TAKEN.has(name)) return `${name} belongs to the SDK, and every app's environment holds it`;
  return undefined;
}
