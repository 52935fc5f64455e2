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
  textsOf,
  truth,
  valueAt,
} from "./shape.ts";

const IDENTIFIER = /^[_\p{XID_Start}]\p{XID_Continue}*$/u;

/** Names of modules, in which setuptools admits hyphens inside. */
const isModule = (name: string): boolean =>
  !/^-|-$/.test(name) && name.split(".").every((each) => IDENTIFIER.test(each.replaceAll("-", "_")));

const PACKAGE = 'Write the package\'s folder with dots, as packages = ["my_app"].';
const module = text(isModule, "python-module-name-relaxed", PACKAGE);
const texts = listOf(text());
const ownsFiles = (key: string): boolean => key === "*" || isModule(key);

const find = tableWith({
  find: tableWith({ where: texts, exclude: texts, include: texts, namespaces: truth }),
});

const source = oneOf(tableWith({ file: oneOf(text(), texts) }, ["file"]), tableWith({ attr: text() }, ["attr"]));
const fileSource = tableWith({ file: oneOf(text(), texts), "content-type": text() }, ["file"]);
const anything: Shape = () => [];

/** `[tool.setuptools]` (https://setuptools.pypa.io/en/latest/userguide/pyproject_config.html). */
const toolTable = tableWith({
  platforms: texts,
  provides: texts,
  obsoletes: texts,
  "zip-safe": truth,
  "script-files": texts,
  "eager-resources": texts,
  packages: (value, at) => (isTable(value) ? find(value, at) : listOf(module, '["my_app"]')(value, at)),
  "package-dir": tableOf(text(), (key) => key === "" || isModule(key), "python-module-name-relaxed"),
  "package-data": tableOf(texts, ownsFiles, "python-module-name-relaxed"),
  "include-package-data": truth,
  "exclude-package-data": tableOf(texts, ownsFiles, "python-module-name-relaxed"),
  "namespace-packages": listOf(module),
  "py-modules": listOf(module),
  "ext-modules": anything,
  "data-files": tableOf(texts),
  cmdclass: tableOf(text()),
  "license-files": texts,
  dynamic: tableWith({
    version: source,
    classifiers: fileSource,
    description: fileSource,
    "entry-points": fileSource,
    dependencies: fileSource,
    "optional-dependencies": tableOf(fileSource),
    readme: fileSource,
  }),
});

/** Fields that setuptools reads from `[tool.setuptools.dynamic]` alone, unless setup.py or setup.cfg has them. */
const NEEDS_SOURCE = ["classifiers", "description", "readme"];
const CANNOT_BE_DYNAMIC = ["authors", "keywords", "license", "license-files", "maintainers", "requires-python"];

/** Folders and modules at the root that setuptools takes for no part of the package (`setuptools/discovery.py`). */
const NO_PACKAGES = new Set(
  (
    "ci bin debian doc docs documentation manpages news newsfragments changelog test tests unit_test unit_tests example " +
    "examples scripts tools util utils python build dist venv env requirements tasks fabfile site_scons benchmark " +
    "benchmarks exercise exercises htmlcov"
  ).split(" "),
);
const NO_MODULES = new Set(
  (
    "setup conftest test tests example examples build toxfile noxfile pavement dodo tasks fabfile conanfile manage " +
    "benchmark benchmarks exercise exercises SConstruct Sconstruct sConstruct sconstruct"
  ).split(" "),
);

/**
 * What setuptools refuses beyond `[project]`.
 * @param paths the project's files, with "/" between folders
 */
export function setuptoolsFaults(document: Table, paths: readonly string[]): readonly ProjectFault[] {
  const tool = valueAt(document, "tool", "setuptools");
  const faults = tool === undefined ? [] : toolTable(tool, ["tool", "setuptools"]);
  // These decide what is left out here.
  const isConfigured = paths.includes("setup.py") || paths.includes("setup.cfg");
  if (faults.length > 0 || isConfigured) return faults;
  return [...dynamicFaults(document, paths), ...layoutFaults(isTable(tool) ? tool : {}, paths)];
}

function dynamicFaults(document: Table, paths: readonly string[]): readonly ProjectFault[] {
  const sources = valueAt(document, "tool", "setuptools", "dynamic");
  const at = ["project", "dynamic"];
  const named = textsOf(valueAt(document, ...at)).filter((field) => {
    return (
      CANNOT_BE_DYNAMIC.includes(field) ||
      (NEEDS_SOURCE.includes(field) && valueAt({ sources }, "sources", field) === undefined)
    );
  });
  // A plug-in of the build, such as setuptools-scm, may know them.
  const plugIns = textsOf(valueAt(document, "build-system", "requires")).length > 1;
  const faults = (plugIns ? [] : named).map((field) => ({
    at,
    value: field,
    says: `No configuration found for dynamic '${field}'`,
    advice: `Write ${field} under [project], and take it out of dynamic.`,
  }));
  const attribute = valueAt({ sources }, "sources", "version", "attr");
  if (typeof attribute !== "string") return faults;
  const file = attribute.split(".").slice(0, -1).join("/");
  const roots = ["", "src/"].flatMap((root) => [`${root}${file}.py`, `${root}${file}/__init__.py`]);
  const isDirect = valueAt(document, "tool", "setuptools", "package-dir") === undefined;
  if (!isDirect || file === "" || roots.some((path) => paths.includes(path))) return faults;
  const says = `ModuleNotFoundError: No module named '${file.replaceAll("/", ".")}'`;
  const advice = 'Name a variable of a module that is there, as { attr = "my_app.__version__" }.';
  return [...faults, { at: ["tool", "setuptools", "dynamic", "version", "attr"], value: attribute, says, advice }];
}

/** Why setuptools does not find the packages: listed ones that are not there, or more than one at the root. */
function layoutFaults(tool: Table, paths: readonly string[]): readonly ProjectFault[] {
  const folders = new Set(paths.flatMap((path) => foldersOf(path)));
  const { packages, "py-modules": modules, "package-dir": directories } = tool;
  if (Array.isArray(packages))
    return packages.flatMap((name, index) => missingPackage(String(name), index, directories, folders));
  const [where, ...more] = textsOf(valueAt(tool, "packages", "find", "where"));
  if (where !== undefined && more.length === 0 && where !== "." && !folders.has(where.replace(/\/$/, ""))) {
    const says = `'${where}' does not exist or is not a directory`;
    const at = ["tool", "setuptools", "packages", "find", "where"];
    return [{ at, value: where, says, advice: 'Name the folder that the package is in, as where = ["src"].' }];
  }
  if (packages !== undefined || modules !== undefined || directories !== undefined || folders.has("src")) return [];
  const tops = [...folders].filter((each) => !each.includes("/") && isPackageName(each)).sort();
  const found =
    tops.length > 0 ? tops : paths.flatMap((path) => /^([^/]+)\.py$/.exec(path)?.[1] ?? []).filter(isModuleName);
  const kind = tops.length > 0 ? "packages" : "modules";
  if (found.length < 2) return [];
  const list = found.map((each) => `'${each}'`).join(", ");
  const advice =
    kind === "packages"
      ? `Name the package under [tool.setuptools], as packages = ["${found.find((top) => folderHasInit(top, paths)) ?? found[0]}"].`
      : "Name the modules under [tool.setuptools], as py-modules.";
  return [
    {
      at: ["tool", "setuptools", "packages"],
      value: undefined,
      says: `Multiple top-level ${kind} discovered in a flat-layout: [${list}].`,
      advice,
    },
  ];
}

const folderHasInit = (top: string, paths: readonly string[]): boolean => paths.includes(`${top}/__init__.py`);

const isPackageName = (name: string): boolean =>
  !NO_PACKAGES.has(name) && !name.startsWith("_") && IDENTIFIER.test(name);

const isModuleName = (name: string): boolean => !NO_MODULES.has(name) && !/^[._]/.test(name) && IDENTIFIER.test(name);

/** `a` and `a/b` for `a/b/c.py`. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function missingPackage(
  name: string,
  index: number,
  directories: unknown,
  folders: ReadonlySet<string>,
): ProjectFault[] {
  const folder = folderOfPackage(name, isTable(directories) ? directories : {});
  if (folder === "" || folders.has(folder)) return [];
  const says = `package directory '${folder}' does not exist`;
  return [{ at: ["tool", "setuptools", "packages", index], value: name, says, advice: PACKAGE }];
}

/** Where a package is, by the longest prefix in package-dir. */
function folderOfPackage(name: string, directories: Table): string {
  const parts = name.split(".");
  for (let length = parts.length; length >= 0; length -= 1) {
    const base = directories[parts.slice(0, length).join(".")];
    if (typeof base === "string")
      return [base.replace(/\/$/, ""), ...parts.slice(length)].filter((each) => each !== "" && each !== ".").join("/");
  }
  return parts.join("/");
}
