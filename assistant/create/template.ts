import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { AppName } from "./app-name.ts";

/** The folders of templates/: each is a whole app whose names are the placeholders below. */
export const TEMPLATES = ["default", "conversation"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** Names in a template's file names and texts, with their replacements. */
const PLACEHOLDERS: readonly (readonly [string, (app: AppName) => string])[] = [
  ["template_app", ({ name }) => name],
  ["TemplateApp", ({ className }) => className],
  ["Template App", ({ title }) => title],
];

/** npm leaves .gitignore files out of packages. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore" };

/** Reads the files of a template for an app: text by path, with "/" between folders. */
export async function readTemplate(folder: string, app: AppName): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !/(?:^|\/)(?:__pycache__|\..*_cache)/.test(pathOf(entry)));
  const filled = files.map(async (entry) => {
    const text = await readFile(path.join(entry.parentPath, entry.name), "utf8");
    return [fill(pathOf(entry), app), fill(text, app)] as const;
  });
  return new Map(await Promise.all(filled));

  function pathOf({ parentPath, name }: { parentPath: string; name: string }): string {
    const inside = path.relative(folder, path.join(parentPath, RENAMED[name] ?? name));
    return inside.split(path.sep).join("/");
  }
}

function fill(text: string, app: AppName): string {
  return PLACEHOLDERS.reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value(app)), text);
}
