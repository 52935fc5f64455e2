import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledApp } from "../../../daemon/apps/catalogue/installed-app.ts";
import { DEFAULT_DIALECT, type Dialect, dialectById } from "../../../robot/dialects/dialects.ts";

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
  /** Address of its settings page; null for an app without one. */
  page: { url: string; port: number } | null;
  /** Folder static/ of the installed package; null for an app without one. */
  staticFolder: string | null;
}

export function appUnderTest({ info, module, file }: InstalledApp, folder: string): AppUnderTest {
  const { dialect = DEFAULT_DIALECT.id, entry_point, custom_app_url } = info.extra;
  const url = typeof custom_app_url === "string" && URL.canParse(custom_app_url) ? custom_app_url : null;
  const port = url === null ? 0 : Number(new URL(url).port);
  const className = String(entry_point).split(":")[1] ?? "";
  return {
    dialect,
    name: info.name,
    module,
    className,
    folder,
    staticFolder: file !== null && existsSync(join(file, "../static")) ? join(file, "../static") : null,
    page: url === null || port === 0 ? null : { url, port },
  };
}

/** The dialect that an app is written in. */
export const dialectOf = ({ dialect }: Pick<AppUnderTest, "dialect">): Dialect =>
  dialectById(dialect) ?? DEFAULT_DIALECT;
