import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readRegularFile } from "../../../common/machine/read-if-present.ts";
import { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import { normaliseName } from "../../../robot/wire/apps/app-search.ts";
import { readJson, writeJson } from "../../files/json-file.ts";

/** Name of the file in the environment; it is changed together with the environment or not at all. */
export const ORIGINS_FILE = "installed-apps.json";

const OriginRecord = AppOrigin.extend({
  /** `InstalledApp.installation` of what was installed from there; records of earlier versions have none. */
  installation: z.string().optional(),
});
export type OriginRecord = z.infer<typeof OriginRecord>;

/** Origins by normalised app name. */
export const Origins = z.record(z.string(), OriginRecord);
type Origins = z.infer<typeof Origins>;

/** Where each app was installed from. Python's own metadata does not record it, because apps are installed from copies. */
export class OriginRecords {
  readonly #file: string;
  readonly #oldFile: string;

  /** @param dataDir where the file was before it had its place in the environment; null where it never was elsewhere */
  constructor(venv: string, dataDir: string | null) {
    this.#file = path.join(venv, ORIGINS_FILE);
    this.#oldFile = path.join(dataDir ?? venv, ORIGINS_FILE);
  }

  /** All origins, by the app's normalised name. */
  async read(): Promise<Origins> {
    return (await readJson(existsSync(this.#file) ? this.#file : this.#oldFile, Origins)) ?? {};
  }

  /** As `read`. A file that cannot be read is an error: writing it anew would lose the origins of the other apps. */
  async #readToChange(): Promise<Origins> {
    if (existsSync(this.#file)) await readRegularFile(this.#file);
    return this.read();
  }

  /**
   * Sets the origin of apps of one distribution. To be called within a change of the environment.
   * @param installation `InstalledApp.installation` of these apps
   * @throws Error of the system when the file cannot be read or written
   */
  async set(names: readonly string[], origin: AppOrigin, installation?: string): Promise<void> {
    const record: OriginRecord = { ...origin, ...(installation !== undefined && { installation }) };
    const added = Object.fromEntries(names.map((name) => [normaliseName(name), record]));
    await writeJson(this.#file, { ...(await this.#readToChange()), ...added });
  }

  /** To be called within a change of the environment. @throws Error as `set` */
  async delete(names: readonly string[]): Promise<void> {
    const deleted = names.map(normaliseName);
    const all = Object.entries(await this.#readToChange());
    await writeJson(this.#file, Object.fromEntries(all.filter(([name]) => !deleted.includes(name))));
  }
}
