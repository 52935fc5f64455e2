import { DEFAULT_DIALECT } from "../../../robot/dialects/dialects.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { classNameOf } from "../fix/app-names.ts";
import { lineNumberOfKey, setKey } from "../fix/toml-text.ts";
import { quote, type Rule } from "../requirement.ts";

const file = "pyproject.toml";

/** Valid names of distributions (https://packaging.python.org/specifications/name-normalization/). */
const NAME = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i;

export const pyproject: Rule = {
  id: "PKG-002",
  level: "MUST",
  section: "2.1",
  title: "pyproject.toml parses and has project.name",
  mutants: ["PKG-002-no-pyproject", "PKG-002-does-not-parse", "PKG-002-no-name", "PKG-002-name-with-space"],
  explanation:
    "pip and the daemon install the app from its pyproject.toml. Without project.name, which has letters, digits and " +
    ". _ - between them, no wheel can be built.",
  example: { file: "pyproject.toml", wrong: 'name = "my app"', right: 'name = "my_app"' },
  fixes: "writes a pyproject.toml for the package that is there, or sets project.name to the package's name",
  fix: (app) => {
    const { pyproject: parsed, name } = app;
    if (name === undefined || parsed.status === "broken") return [];
    if (parsed.status === "parsed") return [{ file, text: setKey(parsed.text, "project", "name", `"${name}"`) }];
    const className = classNameOf(app);
    return className === undefined ? [] : [{ file, text: projectFile(name, className) }];
  },
  check: ({ pyproject: parsed }) => {
    if (parsed.status === "missing") {
      return [{ message: "pyproject.toml is missing: pip cannot install the app without it.", file, line: null }];
    }
    if (parsed.status === "broken") {
      return [{ message: `pyproject.toml does not parse: ${parsed.error.message}.`, file, line: parsed.error.line }];
    }
    const { name } = parsed.value;
    if (typeof name === "string" && NAME.test(name)) return [];
    const allowed = "letters, digits and . _ - between them";
    const message = `project.name is ${quote(name)}; it must be ${allowed}, as name = "my_app" under [project].`;
    const line = lineNumberOfKey(parsed.text, "project", "name") ?? lineNumberOf(parsed.text, /^\s*\[project\]/);
    return [{ message, file, line }];
  },
};

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
