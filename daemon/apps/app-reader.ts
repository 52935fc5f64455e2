import type { PythonVersion } from "../../common/python/project/python-version.ts";
import type { AppUse } from "../../robot/wire/apps/app-details.ts";
import type { InstalledApp } from "./catalogue/installed-app.ts";

/** An installed app whose main module is a file that can be read. */
type ReadableApp = Pick<InstalledApp, "info" | "module"> & { file: string };

/** Reads the code of apps without running it. The program plugs it in: what it finds is what `check` finds. */
export interface AppReader {
  /**
   * Why the app in a folder cannot run: its main module does not parse, or has no app class. Null when it may run.
   * @param python the version that will run it; the lowest that it admits unless given
   */
  appClassMissing(folder: string, signal: AbortSignal, python?: PythonVersion): Promise<string | null>;
  /** Why an installed app ended without an error and without connecting; null when the code does not say. */
  whyNeverRan(app: ReadableApp): Promise<string | null>;
  /** What the code of an installed app uses. */
  appUses(app: ReadableApp): Promise<AppUse[]>;
}
