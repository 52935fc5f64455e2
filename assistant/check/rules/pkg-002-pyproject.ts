import { lineNumberOf } from "../app/parsed.ts";
import { quote, type Requirement } from "../requirement.ts";

/** Valid names of distributions (https://packaging.python.org/specifications/name-normalization/). */
const NAME = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i;

export const pyproject: Requirement = {
  id: "PKG-002",
  level: "MUST",
  section: "2.1",
  title: "pyproject.toml parses and has project.name",
  mutants: ["PKG-002-no-pyproject", "PKG-002-does-not-parse", "PKG-002-no-name", "PKG-002-name-with-space"],
  check: ({ pyproject: parsed }) => {
    const file = "pyproject.toml";
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
    return [
      { message, file, line: lineNumberOf(parsed.text, name === undefined ? /^\s*\[project\]/ : /^\s*name\s*=/) },
    ];
  },
};
