import { DEFAULT_DIALECT } from "../../../robot/dialects/dialects.ts";
import { faultsOf } from "../../../robot/project/project-file.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { classNameOf } from "../fix/app-names.ts";
import { lineNumberOfKey, setKey } from "../fix/toml-text.ts";
import type { Rule } from "../requirement.ts";

const file = "pyproject.toml";

export const pyproject: Rule = {
  id: "PKG-002",
  level: "MUST",
  section: "2.1",
  title: "pyproject.toml is one that the build accepts",
  mutants: [
    "PKG-002-no-pyproject",
    "PKG-002-does-not-parse",
    "PKG-002-byte-order-mark",
    "PKG-002-no-name",
    "PKG-002-name-with-space",
    "PKG-002-no-version",
    "PKG-002-python-with-caret",
    "PKG-002-dependencies-as-text",
    "PKG-002-license-with-classifier",
    "PKG-002-backend-not-required",
  ],
  explanation:
    "The daemon, uv and pip install the app from its pyproject.toml. It is read as they read it: names, versions, " +
    "dependencies and the licence by the standards of Python packaging, the other fields and the packages by the rules " +
    "of setuptools and hatchling where these build the app.",
  example: { file: "pyproject.toml", wrong: 'name = "my app"', right: 'name = "my_app"' },
  fixes:
    "writes a pyproject.toml for the package that is there, removes a byte order mark, or sets project.name to the " +
    "package's name",
  fix: (app) => {
    const { pyproject: parsed, name } = app;
    const text = app.files.get(file);
    if (text?.startsWith("\uFEFF")) return [{ file, text: text.slice(1) }];
    if (name === undefined || parsed.status === "broken") return [];
    if (parsed.status === "parsed") return [{ file, text: setKey(parsed.text, "project", "name", `"${name}"`) }];
    const className = classNameOf(app);
    return className === undefined ? [] : [{ file, text: projectFile(name, className) }];
  },
  check: ({ pyproject: parsed, files }) => {
    if (parsed.status === "missing") {
      return [{ message: "pyproject.toml is missing: pip cannot install the app without it.", file, line: null }];
    }
    if (parsed.status === "broken") {
      return [{ message: `pyproject.toml does not parse: ${parsed.error.message}.`, file, line: parsed.error.line }];
    }
    return faultsOf(parsed.value, [...files.keys()]).map(({ at, message }) => ({
      message,
      file,
      line: lineOf(parsed.text, at),
    }));
  },
};

/** The line of a value: of its key, else of the table around it. */
function lineOf(text: string, at: readonly (string | number)[]): number | null {
  const keys = at.filter((each) => typeof each === "string");
  for (let length = keys.length; length > 0; length -= 1) {
    const table = keys.slice(0, length - 1).join(".");
    const found =
      lineNumberOfKey(text, table, keys[length - 1] ?? "") ??
      lineNumberOf(text, new RegExp(`^\\s*\\[${keys.slice(0, length).join("\\.")}\\]`));
    if (found !== null) return found;
  }
  return null;
}

const projectFile = (name: string, className: string): string => `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "${name}"
version = "0.1.0"
requires-python = ">=3.10"
dependencies = ["robot-sdk"]

[project.entry-points.${DEFAULT_DIALECT.group}]
${name} = "${name}.main:${className}"

[tool.setuptools]
packages = ["${name}"]
`;
