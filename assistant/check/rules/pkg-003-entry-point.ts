import { closestMatch } from "../../../common/closest-match.ts";
import { APP_GROUP } from "../../../robot/wire/apps/app-package.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { splitEntryPoint } from "../app/pyproject.ts";
import { type Finding, quote, type Requirement } from "../requirement.ts";

const file = "pyproject.toml";
const WHERE = `[project.entry-points.${APP_GROUP}]`;

/** The daemon finds installed apps by this entry point and starts `python -u -m <app_name>.main`. */
export const entryPoint: Requirement = {
  id: "PKG-003",
  level: "MUST",
  section: "2.2",
  title: `One entry point in the group ${APP_GROUP}: <app_name> = "<app_name>.main:<ClassName>"`,
  mutants: [
    "PKG-003-group-with-hyphen",
    "PKG-003-other-key",
    "PKG-003-other-module",
    "PKG-003-no-class",
    "PKG-003-two",
  ],
  check: ({ pyproject }) => {
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    const { text, value } = pyproject;
    const entries = Object.entries(value.apps ?? {});
    if (entries.length === 1) return entries.flatMap(([key, point]) => findingsIn(text, value.name, key, point));
    const near = closestMatch(APP_GROUP, Object.keys(value.groups));
    const state = entries.length > 1 ? `names ${entries.length} apps` : near ? `is ${quote(near)}` : "is missing";
    const message = `The entry-point group ${APP_GROUP} ${state}; a package has one app, declared under ${WHERE} as my_app = "my_app.main:MyApp".`;
    return [{ message, file, line: lineNumberOf(text, /^\s*\[project\.entry-points/) }];
  },
};

function findingsIn(text: string, project: unknown, key: string, value: unknown): Finding[] {
  const line = lineNumberOf(text, new RegExp(`^\\s*["']?${key.replace(/\W/g, "\\$&")}["']?\\s*=.*:`));
  const at = (message: string): Finding => ({ message, file, line });
  if (!/^[A-Za-z_]\w*$/.test(key)) {
    return [at(`The app is called ${quote(key)}; python -m needs letters, digits and _, as ${WHERE} my_app = "...".`)];
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
