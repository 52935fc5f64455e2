import { isTable, textsOf, valueAt } from "../../../common/python/project/shape.ts";
import type { ProjectFile } from "../../../robot/project/project-file.ts";
import type { App } from "../app/app.ts";
import { setKey } from "../fix/toml-text.ts";
import { type AppClass, findAppClass } from "../python/app-class.ts";
import { type AttributeAssignment, effectiveAssignments } from "../python/attribute-assignments.ts";
import { type Finding, quote, type Rule } from "../requirement.ts";

const file = "pyproject.toml";
const TABLE = "tool.setuptools.package-data";

/** setuptools leaves files that are no modules out of the wheel unless the project lists them. */
export const shippedPage: Rule = {
  id: "PKG-012",
  level: "MUST",
  section: "2.3",
  title: "The page of an app with custom_app_url is there and is shipped: <app_name>/static/ is package data",
  mutants: ["PKG-012-not-package-data", "PKG-012-other-files-only"],
  explanation:
    "The app serves the folder static/ of its installed package. setuptools installs Python modules only, so a page " +
    "that is not listed as package data works in the author's folder and is missing on every robot. Other build " +
    "tools (hatchling, flit, poetry) ship all files of the package.",
  example: {
    file,
    wrong: '[tool.setuptools.package-data]\nmy_app = ["*.txt"]',
    right: '[tool.setuptools.package-data]\nmy_app = ["static/*"]',
  },
  fixes: "lists static/ as package data",
  check: (app) => {
    const { pyproject, files, name } = app;
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    const page = servedPage(app);
    if (page === null) return [];
    const pages = pagesOf(app);
    if (pages.length === 0) return hasRoutes(app) ? [] : [missingPage(app, page)];
    const shipped = packageDataOf(pyproject.value, name ?? "");
    if (shipped === "all") return [];
    if (files.has("MANIFEST.in") || files.has("setup.py") || files.has("setup.cfg"))
      return { skip: "MANIFEST.in, setup.py or setup.cfg decide what is shipped; certify installs the app and looks" };
    const left = pages.filter((page) => !shipped.isShipped(page));
    if (left.length === 0) return [];
    const { listed: data } = shipped;
    const listed = data.length === 0 ? "there is no package data" : `package data is ${quote(data)}`;
    const message = `${left[0]} is not shipped (${left.length} of ${pages.length} files): ${listed}; write ${name} = ["static/**"] under [${TABLE}].`;
    return [{ message, file, line: null }];
  },
  fix: ({ pyproject, name }) => {
    if (pyproject.status !== "parsed" || name === undefined) return [];
    const given = valueAt(pyproject.value.document, "tool", "setuptools", "package-data", name);
    const patterns = Array.isArray(given) ? given.map(String) : [];
    const value = JSON.stringify([...patterns, "static/**"]).replaceAll(",", ", ");
    return [{ file, text: setKey(pyproject.text, TABLE, name, value) }];
  },
};

/**
 * The assignment that sets `custom_app_url` to an address; null for an app without a page, one that serves it by itself, and
 * one whose class is not found.
 */
export function servedPage(app: App): AttributeAssignment | null {
  const found = findAppClass(app);
  if ("skip" in found || servesItself(found, app)) return null;
  return effectiveAssignments(found, "custom_app_url").find(({ value }) => value.kind === "String") ?? null;
}

/** Whether the class tells the SDK not to serve the page: the app has a server of its own, with files of its own. */
function servesItself(found: AppClass, { dialect: { ownServerAttribute } }: App): boolean {
  if (ownServerAttribute === null) return false;
  const [first] = effectiveAssignments(found, ownServerAttribute);
  return first !== undefined && !["None", "False", "0"].includes(first.value.text);
}

/** The files of the page, relative to the package. */
function pagesOf({ files, packageFolder }: App): string[] {
  const prefix = `${packageFolder}/`;
  return [...files.keys()]
    .filter((path) => path.startsWith(`${prefix}static/`))
    .map((path) => path.slice(prefix.length));
}

/** An app can answer all requests itself, with routes of `settings_app`. */
const hasRoutes = ({ files }: App): boolean =>
  [...files].some(([path, text]) => path.endsWith(".py") && text?.includes("settings_app") === true);

const missingPage = ({ name }: App, { file: module, line }: AttributeAssignment): Finding => ({
  message: `custom_app_url is set, but there is no ${name}/static/index.html: add it, or set custom_app_url = None.`,
  file: module,
  line,
});

interface PackageData {
  /** The patterns that a message names. */
  listed: string[];
  /** @param page path relative to the app's package */
  isShipped(page: string): boolean;
}

/** What package data ships; `all` for build tools that ship every file of the package. */
function packageDataOf({ document }: ProjectFile, name: string): PackageData | "all" {
  const backend = valueAt(document, "build-system", "build-backend") ?? "setuptools.build_meta";
  if (!String(backend).startsWith("setuptools")) return "all";
  const data = valueAt(document, "tool", "setuptools", "package-data");
  const patternsOf = (packageName: string) => (isTable(data) ? [data[packageName], data["*"]].flatMap(textsOf) : []);
  const packages = valueAt(document, "tool", "setuptools", "packages");
  const findsNamespaces = valueAt(document, "tool", "setuptools", "packages", "find", "namespaces") !== false;
  const isPackage = (each: string) => (Array.isArray(packages) ? packages.includes(each) : findsNamespaces);
  return {
    listed: patternsOf(name),
    isShipped: (page) => {
      if (patternsOf(name).some((pattern) => matches(page, pattern))) return true;
      // A folder without __init__.py is a namespace package, which setuptools finds as well.
      const parts = page.split("/");
      return parts.slice(0, -1).some((_, index) => {
        const folder = [name, ...parts.slice(0, index + 1)].join(".");
        const inside = parts.slice(index + 1).join("/");
        return isPackage(folder) && patternsOf(folder).some((pattern) => matches(inside, pattern));
      });
    },
  };
}

/** Whether setuptools' pattern names a file: `*` stays in a folder, `**` does not. */
function matches(path: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (wildcard) => (wildcard === "*" ? "[^/]*" : wildcard === "?" ? "[^/]" : ".*"));
  return new RegExp(`^${source}$`).test(path);
}
