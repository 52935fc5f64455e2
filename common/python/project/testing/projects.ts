import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parse } from "smol-toml";
import { askPython } from "../../../testing/ask-python.ts";
import { projectFaults } from "../project-faults.ts";

/** The build backends that answer; testing/ask_backends.py runs them. */
export type KnownBackend = "setuptools" | "hatchling";
type Files = Readonly<Record<string, string>>;

/** A project, and what each backend says about it: the beginning of its error, or null. */
interface Verdict extends Record<KnownBackend, string | null> {
  /** Its pyproject.toml without `[build-system]`. */
  project: string;
  /** Its files, beside those of all projects. */
  also?: string[];
}

const TABLE = fileURLToPath(new URL("verdicts.jsonl", import.meta.url));
const BACKENDS = fileURLToPath(new URL("ask_backends.py", import.meta.url));

/** What setuptools and hatchling said; the integration test compares it with what they say. */
export const verdicts: readonly Verdict[] = readFileSync(TABLE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const BUILD_SYSTEM: Readonly<Record<KnownBackend, string>> = {
  setuptools: '\n[build-system]\nrequires = ["setuptools>=77"]\nbuild-backend = "setuptools.build_meta"\n',
  hatchling: '\n[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
};

/** The files of a project. @param also names of more files, which are empty */
export function projectFiles(project: string, backend: KnownBackend, also: readonly string[] = []): Files {
  return {
    "my_app/__init__.py": '__version__ = "1.2"\n',
    "my_app/main.py": "",
    ...Object.fromEntries(
      ["LICENSE", "README", "README.md", "README.txt", "README.rst", "README.html"].map((name) => [name, "x"]),
    ),
    ...Object.fromEntries(also.map((name) => [name, ""])),
    "pyproject.toml": project + BUILD_SYSTEM[backend],
  };
}

/** The first fault that we find; undefined for a project that we accept. */
export function firstFault(files: Files): string | undefined {
  const document = parse(files["pyproject.toml"] ?? "");
  return projectFaults(document, Object.keys(files))[0]?.message;
}

/** What the backends say about projects, in order; null for a wheel. */
export const askBackends = (jobs: readonly { backend: KnownBackend; files: Files }[]): Promise<(string | null)[]> =>
  askPython<string | null>(BACKENDS, jobs);

const text = (...values: readonly string[]) => fc.constantFrom(...values.map((each) => JSON.stringify(each)));
const version = text(
  "0.1.0",
  "1",
  "v2",
  "1.0.dev1",
  "1.0-rc.1",
  "1!2",
  "1.0+abc",
  "^1",
  "one",
  "",
  "1.x",
  "1..0",
  "2024.1.1",
);
const clause = fc
  .tuple(
    fc.constantFrom(">=", "==", "~=", "<", "!=", "===", "=>", "^", "=", "~", "", "> "),
    fc.constantFrom("3", "3.10", "3.*", "3.10.*", "3.x", "", "3.10rc1", "3.1+a"),
  )
  .map((parts) => parts.join(""));
const specifier = fc
  .array(clause, { minLength: 1, maxLength: 2 })
  .chain((clauses) => fc.constantFrom(",", ", ", " ").map((joint) => clauses.join(joint)));
const requirement = fc
  .tuple(
    fc.constantFrom("numpy", "a.b_c", "my pkg", "-x", "", "A", "x @ https://a/b.whl", "x@https://a"),
    fc.constantFrom("", "[web]", "[a,b]", "[]", "[a", " [ a ] "),
    fc.oneof(
      fc.constant(""),
      specifier,
      specifier.map((each) => `(${each})`),
    ),
    fc.constantFrom(
      "",
      ";python_version<'3'",
      " ; sys_platform == 'linux' and (extra=='a' or os_name in \"x\")",
      ";x",
      "; python_version",
      ";'a' not in platform_machine",
    ),
  )
  .map((parts) => parts.join(""));
const license = fc
  .array(
    fc.constantFrom(
      "MIT",
      "apache-2.0",
      "AND",
      "or",
      "WITH",
      "(",
      ")",
      "GPL-2.0-or-later",
      "Classpath-exception-2.0",
      "GPL-3.0+",
      "LicenseRef-x",
      "Mine",
    ),
    { maxLength: 5 },
  )
  .map((parts) => JSON.stringify(parts.join(" ")));
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 }).map((items) => JSON.stringify(items));
const other = fc.constantFrom("1", "true", '"x"', "[]", "{}", '["x"]', '{ a = "x" }', "[1]", "2024-01-01");

/** Values of the fields of `[project]`: those that are right, those that people write, and any. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  version,
  "requires-python": specifier.map((each) => JSON.stringify(each)),
  dependencies: list(requirement),
  license,
  description: text("x", ""),
  keywords: list(fc.constantFrom("a", "b")),
  authors: fc.constantFrom('[{ name = "A" }]', '[{ email = "a@b" }]', '["A"]', '[{ name = "A", email = "a" }]', "[{}]"),
  scripts: fc.constantFrom('{ a = "m:f" }', '{ a = "m" }', '{ a = "m.n:f.g" }'),
  urls: fc.constantFrom('{ Home = "https://x.org" }', "{ Home = 1 }"),
  readme: fc.constantFrom('"README.md"', '"README.rst"', '{ file = "README.md", content-type = "text/markdown" }', "1"),
  dynamic: fc.constantFrom("[]", '["version"]', '["dependencies"]', '["name"]'),
  "optional-dependencies": list(requirement).map((each) => `{ a = ${each} }`),
  "entry-points": fc.constantFrom(
    '{ robot_apps = { my_app = "my_app.main:MyApp" } }',
    '{ robot_apps = "x" }',
    "{ g = { a = 1 } }",
  ),
};

/** A project of which any fields are right or wrong, with folders of any names beside the package. */
export const randomProject: fc.Arbitrary<{ project: string; also: string[] }> = fc
  .record({
    fields: fc.uniqueArray(
      fc
        .constantFrom(...Object.keys(FIELDS))
        .chain((key) =>
          fc
            .oneof({ weight: 6, arbitrary: FIELDS[key] ?? other }, { weight: 1, arbitrary: other })
            .map((value) => [key, value] as const),
        ),
      { maxLength: 3, selector: ([key]) => key },
    ),
    also: fc.uniqueArray(
      fc.constantFrom(
        "assets/x",
        "docs/x",
        "my-data/x",
        "_x/y",
        "sounds/a/b",
        "tests/t.py",
        "extra.py",
        "Env/x",
        "src/my_app/__init__.py",
        "motions/__init__.py",
      ),
      { maxLength: 2 },
    ),
    named: fc.constantFrom('"my_app"', '"My.App"', '"other"', '"my app"'),
  })
  .map(({ fields, also, named }) => {
    const given = new Map<string, string>([
      ["name", fields.length > 0 ? '"my_app"' : named],
      ["version", '"0.1.0"'],
      ...fields,
    ]);
    return { project: `[project]\n${[...given].map(([key, value]) => `${key} = ${value}\n`).join("")}`, also };
  });
