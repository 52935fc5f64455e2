import { closestMatch } from "../../../common/closest-match.ts";
import { DEFAULT_DIALECT, type Dialect, listOfDialects } from "../../../robot/dialects/dialects.ts";
import type { ProjectFile } from "../../../robot/project/project-file.ts";
import { splitEntryPoint } from "../../../robot/wire/apps/entry-point.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { classNameOf } from "../fix/app-names.ts";
import { lineNumberOfKey, renameTable, setKey } from "../fix/toml-text.ts";
import { type Finding, quote, type Rule } from "../requirement.ts";

const file = "pyproject.toml";
const tableOfGroup = (group: string) => `project.entry-points.${group}`;
const whereIn = ({ group }: Dialect) => `[${tableOfGroup(group)}]`;
const titleIn = ({ group, prescribesForm }: Dialect) =>
  `One entry point in the group ${group}: <app_name> = "${prescribesForm ? "<app_name>.main" : "<module>"}:<ClassName>"`;

/** The daemon finds installed apps by this entry point and starts `python -u -m <app_name>.main`. */
export const entryPoint: Rule = {
  id: "PKG-003",
  level: "MUST",
  section: "2.2",
  title: titleIn(DEFAULT_DIALECT),
  titleIn,
  mutants: ["PKG-003-similar-group", "PKG-003-other-key", "PKG-003-other-module", "PKG-003-no-class", "PKG-003-two"],
  explanation:
    "The daemon finds an installed app by its entry point in this group and starts it as python -u -m " +
    "<app_name>.main. The key is the app's name, which is also the name of its package; the value is the class in " +
    "its main module. A package has one app.",
  example: {
    file,
    wrong: '[project.entry-points.robot_app]\nmy_app = "my_app.main:MyApp"',
    right: '[project.entry-points.robot_apps]\nmy_app = "my_app.main:MyApp"',
  },
  fixes: "corrects the name of the group, adds the entry point, or corrects its key and its value",
  fix: (app) => {
    const { pyproject, name, dialect } = app;
    if (pyproject.status !== "parsed") return [];
    const { text, value } = pyproject;
    const table = tableOfGroup(dialect.group);
    const near = closestMatch(dialect.group, Object.keys(value.groups));
    if (value.apps === undefined && near !== undefined)
      return [{ file, text: renameTable(text, tableOfGroup(near), table) }];
    const [entry, another] = Object.entries(value.apps ?? {});
    if (another !== undefined || name === undefined || !dialect.prescribesForm) return [];
    const className = app.entryPoint?.className ?? classNameOf(app);
    if (className === undefined) return [];
    return [{ file, text: setKey(text, table, name, `"${name}.main:${className}"`, entry?.[0]) }];
  },
  check: ({ pyproject }) => {
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    const { text, value } = pyproject;
    const entries = Object.entries(value.apps ?? {});
    if (entries.length === 1) return entries.flatMap(([key, point]) => findingsIn(text, value, key, point));
    const { dialect } = value;
    const near = closestMatch(dialect.group, Object.keys(value.groups));
    const state = entries.length > 1 ? `names ${entries.length} apps` : near ? `is ${quote(near)}` : "is missing";
    const groups = value.apps === undefined ? listOfDialects(({ group }) => group) : dialect.group;
    const message = `The entry-point group ${groups} ${state}; a package has one app, declared under ${whereIn(dialect)} as my_app = "my_app.main:MyApp".`;
    return [{ message, file, line: lineNumberOf(text, /^\s*\[project\.entry-points/) }];
  },
};

function findingsIn(text: string, { name: project, dialect }: ProjectFile, key: string, value: unknown): Finding[] {
  // A table without a header of its own, such as an inline one, is searched in the whole file.
  const line =
    lineNumberOfKey(text, tableOfGroup(dialect.group), key) ??
    lineNumberOf(text, new RegExp(`^\\s*["']?${key.replace(/\W/g, "\\$&")}["']?\\s*=.*:`));
  const at = (message: string): Finding => ({ message, file, line });
  if (!dialect.prescribesForm) {
    // The daemon runs the module, so that the key may be any name of an app.
    if (!/^[A-Za-z_][\w.-]*$/.test(key))
      return [at(`The app is called ${quote(key)}; use letters, digits, _, - and dots, and begin with a letter or _.`)];
    return splitEntryPoint(value) === undefined
      ? [
          at(
            `${key} is ${quote(value)}; it must be "module:ClassName", for example "${normalizeName(key)}.main:MyApp".`,
          ),
        ]
      : [];
  }
  if (!/^[A-Za-z_]\w*$/.test(key)) {
    return [
      at(
        `The app is called ${quote(key)}; python -m needs letters, digits and _, and no digit first, as ${whereIn(dialect)} my_app = "...".`,
      ),
    ];
  }
  if (typeof project === "string" && normalizeName(project) !== normalizeName(key)) {
    return [at(`The app is called ${quote(key)} here and ${quote(project)} under [project]: use one name for both.`)];
  }
  if (splitEntryPoint(value)?.module === `${key}.main`) return [];
  return [at(`${key} is ${quote(value)}; it must be "${key}.main:ClassName", with the class of ${key}/main.py.`)];
}

/** Names of distributions are compared without case, and with hyphens, underscores and dots alike (PEP 503). */
function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]+/g, "_");
}
