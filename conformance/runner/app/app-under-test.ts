import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { DEFAULT_DIALECT, type Dialect, dialectById } from "../../../robot/dialects/dialects.ts";
import { explicitPortOf } from "../../../robot/wire/apps/page-url.ts";

/** The app that is judged, as it is installed. */
export interface AppUnderTest {
  /** Id of the dialect that it is written in. Default: the contract's. */
  dialect?: string | undefined;
  name: string;
  /** The module that `python -m` runs. */
  module: string;
  className: string;
  /** The folder that it was installed from. */
  folder: string;
  /** Where its Python files are in that folder. */
  sourceRoot: SourceRoot;
  /** Address of its settings page, as Python has it; null for an app without one. */
  page: { url: string; port: number } | null;
  /** The address that the daemon reads from its main module, and links to; null when it reads none. */
  announcedUrl: string | null;
  /** Whether it serves its page by itself, with files of its own. Default: the SDK does. */
  servesItself?: boolean;
  /** Folder static/ of the installed package; null for an app without one. */
  staticFolder: string | null;
}

/** Before the path of a module, for its path inside the app. */
export type SourceRoot = "" | "src/";

/** Where the main module is inside the app. */
export const mainFileOf = ({ module, sourceRoot }: Pick<AppUnderTest, "module" | "sourceRoot">): string =>
  `${sourceRoot}${module.replaceAll(".", "/")}.py`;

/** What a rig needs to know of an app; the name only to make it the startup app. */
export type AppOfRig = Pick<AppUnderTest, "name" | "dialect">;

export function appUnderTest({ info, module, file }: InstalledApp, folder: string): AppUnderTest {
  const { dialect = DEFAULT_DIALECT.id, entry_point, custom_app_url } = info.extra;
  const announcedUrl = typeof custom_app_url === "string" ? custom_app_url : null;
  const className = String(entry_point).split(":")[1] ?? "";
  return {
    dialect,
    name: info.name,
    module,
    className,
    folder,
    sourceRoot: sourceRootOf(folder, module),
    staticFolder: file !== null && existsSync(join(file, "../static")) ? join(file, "../static") : null,
    page: pageAt(announcedUrl),
    announcedUrl,
  };
}

/** The first folder with the module, in the order of `check`. */
function sourceRootOf(folder: string, module: string): SourceRoot {
  const path = module.replaceAll(".", "/");
  const has = (root: SourceRoot) =>
    [`${path}.py`, `${path}/__init__.py`].some((file) => existsSync(join(folder, root, file)));
  return !has("") && has("src/") ? "src/" : "";
}

/**
 * The app with the page that its class has once it is imported: only Python follows base classes and computed addresses.
 */
export const withPage = (
  app: AppUnderTest,
  { customAppUrl, servesItself }: { customAppUrl: string | null; servesItself: boolean },
): AppUnderTest => ({ ...app, page: pageAt(customAppUrl), servesItself });

function pageAt(url: string | null): AppUnderTest["page"] {
  const port = url === null ? null : explicitPortOf(url);
  return url === null || port === null ? null : { url, port };
}

/** The dialect that an app is written in. */
export const dialectOf = ({ dialect }: Pick<AppUnderTest, "dialect">): Dialect =>
  dialectById(dialect) ?? DEFAULT_DIALECT;
