import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { AppName } from "./app-name.ts";

/** The folders of templates/: each is a whole app, called as the placeholders say. */
export const TEMPLATES = ["default", "conversation"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** What a template is called, in file names and texts, and thus what a new name takes the place of. */
const PLACEHOLDERS: readonly (readonly [string, (app: AppName) => string])[] = [
  ["template_app", ({ name }) => name],
  ["TemplateApp", ({ className }) => className],
  ["Template App", ({ title }) => title],
];

/** Packing a npm package drops files called .gitignore. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore" };

/** The files of a template under another name: content by path, "/" between folders. Templates are text throughout. */
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
