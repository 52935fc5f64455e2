import type { Finding, Requirement } from "../requirement.ts";

export const pythonPackage: Requirement = {
  id: "PKG-005",
  level: "MUST",
  section: "2.1",
  title: "The package: <app_name>/__init__.py and <app_name>/main.py",
  mutants: ["PKG-005-no-init", "PKG-005-no-main"],
  check: ({ files, name }) => {
    if (name === undefined) {
      const message = "There is no package: create a folder with the app's name, with __init__.py and main.py in it.";
      return [{ message, file: "<app_name>/main.py", line: null }];
    }
    return ["__init__.py", "main.py"].flatMap((part): Finding[] => {
      const file = `${name}/${part}`;
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
