import { isLicenseExpression } from "./license-expression.ts";
import { isName, isSpecifier, isVersion, parseRequirement } from "./requirement.ts";
import {
  isTable,
  listOf,
  oneOf,
  type ProjectFault,
  type Shape,
  type Table,
  tableOf,
  tableWith,
  text,
} from "./shape.ts";

/** What builds a project; the rules of `other` are those that all build backends have. */
export type Backend = "setuptools" | "hatchling" | "other";

const VERSION = 'Write numbers with dots, as version = "0.1.0" (PEP 440).';
const PYTHON = 'Write an operator and a version, with commas between: ">=3.10" or ">=3.10,<4" (PEP 440).';
const DEPENDENCY =
  'Write a name and the versions that will do: "numpy", "numpy>=2,<3" or "name @ https://..." (PEP 508).';
const NAME = 'Write letters, digits and . _ - between them, as name = "my_app".';
const LICENSE =
  'Write an SPDX expression, as license = "MIT" or "Apache-2.0 OR MIT" (PEP 639); "LicenseRef-Proprietary" for one that SPDX does not list.';
const EMAIL = 'Write an address, as { name = "Ada", email = "ada@example.org" }.';
const REFERENCE = 'Write "module:object", as my_app = "my_app.main:MyApp".';
const README = 'Write a file that ends with .md, .rst or .txt, as readme = "README.md".';

const IDENTIFIER = /^[_\p{XID_Start}]\p{XID_Continue}*$/u;
const areIdentifiers = (dotted: string): boolean => dotted.split(".").every((each) => IDENTIFIER.test(each.trim()));

/** `module`, or `module:object.attribute`, with extras in brackets behind. */
function isReference(value: string): boolean {
  const [, module = "", object, extras] = /^([^:]*)(?::([^[]*)(?:\[(.*)\]\s*)?)?$/s.exec(value) ?? [];
  const named = extras?.split(",").every((each) => isName(each.trim())) ?? true;
  return named && areIdentifiers(module) && (!object || areIdentifiers(object));
}

/** A dependency, a list of which `dependencies` is. */
export const dependency = text((each) => parseRequirement(each) !== undefined, "pep508", DEPENDENCY);

/** A list of dependencies. */
export const dependencies = listOf(dependency, '["numpy>=2"]');

const references = (backend: Backend): Shape =>
  backend === "setuptools"
    ? tableOf(
        text(isReference, "python-entrypoint-reference", REFERENCE),
        (key) => /^[^[\s=](?:[^=]*[^\s=])?$/.test(key),
        "python-entrypoint-name",
      )
    : tableOf(text());

const hasPerson = ({ name, email }: Table, backend: Backend): boolean =>
  backend === "hatchling" ? Boolean(name || email) : name !== undefined || email !== undefined;

const people = (backend: Backend): Shape => {
  const fields = { name: text(), email: text((each) => /^[^@]+@[^@]+$/.test(each), "idn-email", EMAIL) };
  const example = '[{ name = "Ada", email = "ada@example.org" }]';
  return listOf((value, at) => {
    const faults = tableWith(fields, [], backend === "setuptools")(value, at);
    if (!isTable(value) || faults.length > 0 || hasPerson(value, backend)) return faults;
    return [{ at, value, says: `\`${at.at(-2)}\` must have name or email`, advice: EMAIL }];
  }, example);
};

const licenseTable: Shape = oneOf(tableWith({ file: text() }, ["file"]), tableWith({ text: text() }, ["text"]));
const licenseText = text(isLicenseExpression, "SPDX", LICENSE);
const license: Shape = (value, at) =>
  isTable(value)
    ? licenseTable(value, at).length === 0
      ? []
      : [{ at, value, says: "it must have either file or text", advice: LICENSE }]
    : licenseText(value, at);

const CONTENT_TYPES = ["text/markdown", "text/x-rst", "text/plain"];

const readme =
  (backend: Backend): Shape =>
  (value, at) => {
    const fault = (says: string): ProjectFault[] => [{ at, value, says, advice: README }];
    if (typeof value === "string") {
      const isKnown = /\.(?:md|rst|txt)$/i.test(value);
      if (isKnown || backend === "other" || (backend === "setuptools" && !/[^./]\.[^./]+$/.test(value))) return [];
      return fault(`Undefined content type for ${value}`);
    }
    if (!isTable(value)) return fault("`project.readme` must be a string or a table");
    const type = value["content-type"];
    const sources = [value.file, value.text].filter((each) => each !== undefined);
    if (typeof type !== "string") return fault("Field `content-type` is required in the `project.readme` table");
    if (sources.length === 0 || sources.some((each) => typeof each !== "string"))
      return fault("`project.readme` must have `file` or `text`");
    if (backend !== "hatchling") return [];
    if (sources.length > 1) return fault("Cannot specify both `file` and `text` in the `project.readme` table");
    return CONTENT_TYPES.includes(type)
      ? []
      : fault(`Field \`content-type\` in the \`project.readme\` table must be one of ${CONTENT_TYPES.join(", ")}`);
  };

/** The fields that `dynamic` may name. */
const DYNAMIC = [
  ...["version", "description", "readme", "requires-python", "license", "license-files", "authors", "maintainers"],
  ...["keywords", "classifiers", "urls", "scripts", "gui-scripts", "entry-points", "dependencies"],
  ...["optional-dependencies", "import-names", "import-namespaces"],
];

const dynamicField = (backend: Backend) =>
  text(
    (each) => each !== "name" && (backend !== "setuptools" || DYNAMIC.includes(each)),
    `one of ${JSON.stringify(DYNAMIC)}`,
    "Name fields that the build computes alone.",
  );

/** The fields of `[project]` (PEP 621). */
const fieldsFor = (backend: Backend): Record<string, Shape> => ({
  name: text(isName, "pep508-identifier", NAME),
  version: text((each) => isVersion(backend === "setuptools" ? each : each.trim()), "pep440", VERSION),
  description: text(),
  readme: readme(backend),
  "requires-python": text(isSpecifier, "pep508-versionspec", PYTHON),
  license,
  "license-files": listOf(
    text(
      (each) => backend !== "setuptools" || !each.startsWith("/"),
      "relative",
      "Write paths inside of the app's folder.",
    ),
  ),
  authors: people(backend),
  maintainers: people(backend),
  keywords: listOf(text()),
  classifiers: listOf(
    text(undefined, "", 'Write classifiers of https://pypi.org/classifiers, as ["Private :: Do Not Upload"].'),
  ),
  urls: tableOf(text()),
  scripts: references(backend),
  "gui-scripts": references(backend),
  "entry-points": tableOf(
    references(backend),
    (key) => backend !== "setuptools" || /^\w+(?:\.\w+)*$/.test(key),
    "python-entrypoint-group",
  ),
  dependencies,
  "optional-dependencies": tableOf(dependencies, isName, "pep508-identifier"),
  dynamic: listOf(dynamicField(backend), '["version"]'),
  "import-names": listOf(text()),
  "import-namespaces": listOf(text()),
});

/** What is wrong in `[project]`. */
export function projectTableFaults(project: unknown, backend: Backend): readonly ProjectFault[] {
  const at = ["project"];
  const found = tableWith(fieldsFor(backend), ["name"], backend === "setuptools")(project, at);
  return isTable(project) ? [...found, ...relationFaults(project, backend)] : found;
}

/** Faults between two fields. */
function relationFaults(project: Table, backend: Backend): readonly ProjectFault[] {
  const faults: ProjectFault[] = [];
  const add = (key: string, says: string, advice: string) =>
    faults.push({ at: ["project", key], value: project[key], says, advice });
  const dynamic = Array.isArray(project.dynamic) ? project.dynamic : [];
  for (const field of dynamic.filter((each) => each !== "name" && project[String(each)] !== undefined))
    add(
      String(field),
      `You cannot provide a value for \`project.${field}\` and list it under \`project.dynamic\``,
      "Keep one of both.",
    );
  if (project.version === undefined && !dynamic.includes("version"))
    add("version", "`project` must contain ['version'] properties", VERSION);
  if (typeof project.license === "string" && backend === "setuptools")
    for (const each of Array.isArray(project.classifiers) ? project.classifiers : [])
      if (String(each).startsWith("License :: "))
        add(
          "classifiers",
          "License classifiers have been superseded by license expressions",
          `Remove ${JSON.stringify(each)}: license says it.`,
        );
  if (isTable(project.license) && project["license-files"] !== undefined && backend === "setuptools")
    add("license", "`project.license` must be string", LICENSE);
  if (backend === "setuptools")
    for (const key of ["import-names", "import-namespaces"])
      if (project[key] !== undefined)
        add(
          key,
          "Setuptools does not support `import-names` and `import-namespaces` in `pyproject.toml` yet",
          "Remove it.",
        );
  return faults;
}
