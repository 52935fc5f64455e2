import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Dialect } from "../../robot/dialects/dialects.ts";
import { DEFAULT_DIALECT } from "../../robot/dialects/dialects.ts";
import type { AppNames } from "./app-name.ts";

/** The templates that `create --template` names and a person on a terminal chooses from. */
export const TEMPLATES = [
  { value: "default", hint: "moves immediately: one short file to change", onlyDefaultDialect: false },
  { value: "settings", hint: "the same, with settings that the dashboard shows", onlyDefaultDialect: true },
  { value: "page", hint: "the same, with a page of its own", onlyDefaultDialect: false },
  {
    value: "conversation",
    hint: "listens, thinks with a language model, speaks; has a settings page",
    onlyDefaultDialect: true,
  },
] as const;
export type TemplateName = (typeof TEMPLATES)[number]["value"];

/** The folders of templates/ that an app is made of; files of later ones replace those of earlier ones. */
export const layersOf = (template: TemplateName): readonly string[] => [...new Set(["default", template])];

/** Names in a template's file names and texts, with their replacements. */
const PLACEHOLDERS: readonly (readonly [string, (app: AppNames) => string])[] = [
  ["template_app", ({ name }) => name],
  ["TemplateApp", ({ className }) => className],
  ["Template App", ({ title }) => title],
];

/** File names that a template cannot have: npm leaves .gitignore files out of packages. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore" };

/** A dialect's names, each as it stands in a template, which is written in the default dialect. */
const NAMES: readonly ((dialect: Dialect) => string)[] = [
  ({ group }) => group,
  ({ tag }) => tag,
  ({ sdk }) => sdk.pageRequirement,
  ({ sdk }) => sdk.distribution,
  ({ sdk }) => sdk.module,
  ({ sdk }) => sdk.appClass,
  ({ sdk }) => sdk.robotClass,
];

const escaped = (text: string): string => text.replace(/[[\]]/g, "\\$&");

/** Replaces the default dialect's names by those of another; in Python code also the name of the robot parameter. */
function translate(file: string, text: string, dialect: Dialect): string {
  if (dialect === DEFAULT_DIALECT) return text;
  const named = NAMES.reduce(
    (done, name) =>
      done.replaceAll(new RegExp(`(?<![\\w-])${escaped(name(DEFAULT_DIALECT))}(?![\\w-])`, "g"), name(dialect)),
    text,
  );
  if (!file.endsWith(".py")) return named;
  const parameter = new RegExp(`\\b${DEFAULT_DIALECT.robotParameter}(?=: |\\.\\w)`, "g");
  return named.replaceAll(parameter, dialect.robotParameter);
}

/** Reads the files of a template for an app in a dialect: text by path, with "/" between folders. */
export async function readTemplate(
  folder: string,
  app: AppNames,
  dialect: Dialect = DEFAULT_DIALECT,
): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  // An app of another SDK begins to move at another moment: its first test records the motion.
  const left =
    dialect === DEFAULT_DIALECT ? /(?:^|\/)(?:__pycache__|\..*_cache)/ : /(?:^|\/)(?:__pycache__|\..*_cache|motions\/)/;
  const files = entries.filter((entry) => entry.isFile() && !left.test(pathOf(entry)));
  const filled = files.map(async (entry) => {
    const text = await readFile(path.join(entry.parentPath, entry.name), "utf8");
    return [fill(pathOf(entry), app), fill(translate(entry.name, text, dialect), app)] as const;
  });
  return new Map(await Promise.all(filled));

  function pathOf({ parentPath, name }: { parentPath: string; name: string }): string {
    const inside = path.relative(folder, path.join(parentPath, RENAMED[name] ?? name));
    return inside.split(path.sep).join("/");
  }
}

function fill(text: string, app: AppNames): string {
  return PLACEHOLDERS.reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value(app)), text);
}
