import { titleOf } from "../fix/app-names.ts";
import type { Finding, Rule } from "../requirement.ts";

export const pythonPackage: Rule = {
  id: "PKG-005",
  level: "MUST",
  section: "2.1",
  title: "The package: <app_name>/__init__.py and <app_name>/main.py",
  mutants: ["PKG-005-no-init", "PKG-005-no-main"],
  explanation:
    "The daemon starts python -u -m <app_name>.main, so the app is a package: a folder with the app's name, an " +
    "__init__.py, which may be empty, and a main.py.",
  example: { file: "my_app/__init__.py", wrong: null, right: '"""My App."""' },
  fixes: "adds __init__.py",
  fix: ({ files, name, packageFolder }) =>
    name === undefined || files.has(`${packageFolder}/__init__.py`)
      ? []
      : [{ file: `${packageFolder}/__init__.py`, text: `"""${titleOf(name)}."""\n` }],
  check: ({ files, name, packageFolder, dialect, main }) => {
    if (name === undefined) {
      const message = "There is no package: create a folder with the app's name, with __init__.py and main.py in it.";
      return [{ message, file: "<app_name>/main.py", line: null }];
    }
    // A folder without __init__.py is a package too, and the module may have another name.
    if (!dialect.prescribesForm && main.status !== "missing") return [];
    return ["__init__.py", "main.py"].flatMap((part): Finding[] => {
      const file = `${packageFolder}/${part}`;
      return files.has(file)
        ? []
        : [{ message: `${file} is missing${remedyFor(files.keys(), part)}.`, file, line: null }];
    });
  },
};

/** What to do about a missing file, as the end of a message. */
function remedyFor(paths: Iterable<string>, part: string): string {
  if (part !== "main.py") return ": add it, it may be empty";
  const found = [...paths].find((path) => path === "main.py" || path.endsWith("/main.py"));
  const start = "the daemon starts python -m <app_name>.main";
  return found === undefined ? `: ${start}` : `; there is ${found}, but ${start}: move it`;
}
