import { readdir } from "node:fs/promises";
import path from "node:path";
import { ifAbsent } from "../../../common/machine/absent.ts";
import { SerialQueue } from "../../../common/serial-queue.ts";
import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import { normaliseName, sameName } from "../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { type Distribution, distributionsOf, moduleFileIn } from "./distributions.ts";
import { type EntryPoint, parseCustomAppUrl } from "./formats.ts";
import type { InstalledApp } from "./installed-app.ts";
import { isAppName, nameHints } from "./names.ts";
import { type OriginRecord, OriginRecords } from "./origin-records.ts";
import { ownVenvsIn } from "./own-venvs.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";

/**
 * The apps in a Python environment and in the environments of single apps, read from the metadata that installers leave there. No Python is started, and an app
 * that a person installs with `pip` is listed immediately.
 */
export class InstalledApps {
  readonly #venv: string;
  readonly #origins: Pick<OriginRecords, "read"> | null;
  readonly #dataDir: string | null;
  readonly #cache: ParsedFileCache;
  readonly #readings = new SerialQueue();
  /** The reading that has not begun yet. */
  #next: Promise<readonly InstalledApp[]> | null = null;

  /**
   * @param origins where the apps were installed from; without it, their `extra.origin` is missing
   * @param dataDir data folder with the environments of single apps; null for the apps of `venv` only
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(
    venv: string,
    origins: Pick<OriginRecords, "read"> | null = null,
    dataDir: string | null = null,
    now?: () => number,
  ) {
    this.#cache = new ParsedFileCache(now);
    this.#venv = venv;
    this.#origins = origins;
    this.#dataDir = dataDir;
  }

  /** The folders with the packages of the environment that apps share. */
  sitePackages(): Promise<string[]> {
    return sitePackagesOf(this.#venv);
  }

  /** All installed apps, by name. Of two apps whose names compare as equal, the one that Python would import. */
  async list(): Promise<InstalledApp[]> {
    // Calls share a reading, but none gets one that began before the call: it could miss a change.
    this.#next ??= this.#readings.run(() => {
      this.#next = null;
      return this.#read();
    });
    return [...(await this.#next)];
  }

  async #read(): Promise<InstalledApp[]> {
    const apps = new Map<string, InstalledApp>();
    // An app that is in both was just installed into its own: that one counts.
    for (const venv of this.#dataDir === null ? [] : await ownVenvsIn(this.#dataDir)) {
      const found = await this.#readVenv(venv, new OriginRecords(venv, null));
      for (const [name, app] of found) {
        app.info.extra.isolated = true;
        apps.set(name, { ...app, ownVenv: venv });
      }
    }
    for (const [name, app] of await this.#readVenv(this.#venv, this.#origins)) if (!apps.has(name)) apps.set(name, app);
    return [...apps.values()].sort((one, other) => one.info.name.localeCompare(other.info.name));
  }

  async #readVenv(venv: string, records: Pick<OriginRecords, "read"> | null): Promise<Map<string, InstalledApp>> {
    const origins = (await records?.read()) ?? {};
    const apps = new Map<string, InstalledApp>();
    for (const folder of await sitePackagesOf(venv)) {
      for (const distribution of await distributionsOf(folder, this.#cache)) {
        for (const entry of distribution.entryPoints.filter(({ key }) => isAppName(key))) {
          const name = normaliseName(entry.key);
          if (apps.has(name)) continue;
          const app = await this.#describe(distribution, entry);
          const origin = originOf(origins[name], distribution);
          if (origin !== null) app.info.extra.origin = origin;
          apps.set(name, app);
        }
      }
    }
    return apps;
  }

  /** @throws WorkbenchError `app-not-found` with the names that may have been meant */
  async find(name: string): Promise<InstalledApp> {
    const apps = await this.list();
    const found = apps.find(({ info }) => sameName(info.name, name));
    if (found !== undefined) return found;
    const names = apps.map(({ info }) => info.name);
    throw new WorkbenchError(
      "app-not-found",
      `No app named ${JSON.stringify(name)} is installed.${nameHints(name, names)}`,
    );
  }

  async #describe(distribution: Distribution, entry: EntryPoint): Promise<InstalledApp> {
    const { metadata, folder, editable, metadataFolder, installation, importPath } = distribution;
    const file = moduleFileIn(importPath, entry.module);
    return {
      module: entry.module,
      file,
      metadataFolder,
      ...(installation !== null && { installation }),
      info: {
        name: entry.key,
        source_kind: "installed",
        description: metadata.summary,
        url: metadata.url,
        extra: {
          dialect: entry.dialect.id,
          entry_point: `${entry.module}:${entry.className}`,
          distribution: metadata.name,
          version: metadata.version,
          custom_app_url: file === null ? null : await this.#cache.read(file, parseCustomAppUrl),
          ...(editable ? { editable, folder } : {}),
        },
      },
    };
  }
}

/** The recorded origin of an installed distribution; null without one, and when it was installed again by hand since. */
function originOf(record: OriginRecord | undefined, { installation }: Distribution): AppOrigin | null {
  if (record === undefined) return null;
  const { installation: recorded = installation, ...origin } = record;
  return recorded === installation ? origin : null;
}

/** The folders that a virtual environment imports packages from. */
export async function sitePackagesOf(venv: string): Promise<string[]> {
  const lib = path.join(venv, "lib");
  const versions = await readdir(lib).catch(ifAbsent<string[]>([]));
  return versions.filter((name) => /^python3/.test(name)).map((name) => path.join(lib, name, "site-packages"));
}
