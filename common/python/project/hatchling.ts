import { normalizeName, parseRequirement } from "./requirement.ts";
import { isTable, type ProjectFault, type Table, textsOf, valueAt } from "./shape.ts";

/**
 * What hatchling refuses beyond `[project]` (https://hatch.pypa.io/latest/config/build/).
 * @param paths the project's files, with "/" between folders
 */
export function hatchlingFaults(document: Table, paths: readonly string[]): readonly ProjectFault[] {
  const project = isTable(document.project) ? document.project : {};
  return [
    ...fieldFaults(project, paths),
    ...directReferences(document, project),
    ...versionFaults(document, project, paths),
    ...layoutFaults(document, project, paths),
  ];
}

function fieldFaults(project: Table, paths: readonly string[]): ProjectFault[] {
  const faults: ProjectFault[] = [];
  const add = (key: string, says: string, advice: string) =>
    faults.push({ at: ["project", key], value: project[key], says, advice });
  if (valueAt(project, "entry-points", "console_scripts") !== undefined)
    add(
      "entry-points",
      "Field `console_scripts` must be defined as `project.scripts`",
      "Move it to [project.scripts].",
    );
  const extras = Object.keys(isTable(project["optional-dependencies"]) ? project["optional-dependencies"] : {});
  const names = extras.map(normalizeName);
  const twice = extras.find((_, at) => names.indexOf(names[at] ?? "") !== at);
  if (twice !== undefined)
    add("optional-dependencies", `two groups evaluate to \`${normalizeName(twice)}\``, "Keep one of both.");
  const readme = typeof project.readme === "string" ? project.readme : valueAt(project, "readme", "file");
  if (typeof readme !== "string" || paths.includes(readme.replace(/^\.\//, ""))) return faults;
  add("readme", `Readme file does not exist: ${readme}`, "Name a file of the app's folder, or add it.");
  return faults;
}

function directReferences(document: Table, project: Table): ProjectFault[] {
  if (valueAt(document, "tool", "hatch", "metadata", "allow-direct-references") === true) return [];
  const optional = isTable(project["optional-dependencies"]) ? Object.entries(project["optional-dependencies"]) : [];
  const lists: [string[], unknown][] = [
    [["project", "dependencies"], project.dependencies],
    ...optional.map(([name, list]): [string[], unknown] => [["project", "optional-dependencies", name], list]),
  ];
  return lists.flatMap(([at, list]) =>
    textsOf(list).flatMap((value, index) => {
      if (parseRequirement(value)?.url === undefined) return [];
      const says =
        "it cannot be a direct reference unless field `tool.hatch.metadata.allow-direct-references` is set to `true`";
      return [{ at: [...at, index], value, says, advice: "Set it under [tool.hatch.metadata], or name a version." }];
    }),
  );
}

function versionFaults(document: Table, project: Table, paths: readonly string[]): ProjectFault[] {
  if (!textsOf(project.dynamic).includes("version")) return [];
  const at = ["tool", "hatch", "version"];
  const version = valueAt(document, ...at);
  // Another file, with code of the project or of a plug-in, may say it.
  if (valueAt(document, "tool", "hatch", "metadata", "hooks") !== undefined) return [];
  const advice = 'Write version = "0.1.0" under [project] in place of dynamic, or path under [tool.hatch.version].';
  if (!isTable(version)) return [{ at, value: version, says: "Missing `tool.hatch.version` configuration", advice }];
  const { source = "regex", path } = version;
  if (source !== "regex" || (typeof path === "string" && paths.includes(path))) return [];
  return [{ at: [...at, "path"], value: path, says: `file does not exist: ${path}`, advice }];
}

/** Whether hatchling finds what to ship: by the project's name, unless the project says it. */
function layoutFaults(document: Table, { name }: Table, paths: readonly string[]): ProjectFault[] {
  const build = valueAt(document, "tool", "hatch", "build");
  const wheel = valueAt({ build }, "build", "targets", "wheel");
  const keys = ["include", "packages", "only-include", "force-include", "bypass-selection", "hooks"];
  const says = [build, wheel].some((each) => isTable(each) && keys.some((key) => each[key] !== undefined));
  if (says || typeof name !== "string") return [];
  const components = [name, normalizeName(name)].map((each) => each.replace(/[-_.]+/g, "_"));
  const isThere = components.some(
    (each) =>
      ["", "src/"].some((root) => paths.includes(`${root}${each}/__init__.py`)) ||
      paths.includes(`${each}.py`) ||
      paths.filter((path) => new RegExp(`^[^/.][^/]*/${each}/__init__\\.py$`).test(path)).length === 1,
  );
  if (isThere) return [];
  return [
    {
      at: ["tool", "hatch", "build", "targets", "wheel", "packages"],
      value: undefined,
      says: `Unable to determine which files to ship inside the wheel: there is no directory that matches the name of your project (${components[0]})`,
      advice:
        'Give the package that name with an __init__.py, or write packages = ["..."] under [tool.hatch.build.targets.wheel].',
    },
  ];
}
