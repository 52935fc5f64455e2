import path from "node:path";
import { z } from "zod";
import { normaliseName } from "../../../robot/wire/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps.ts";
import { readJson, writeJson } from "../json-file.ts";
import type { Origin } from "./source.ts";

const RecordFile = z.record(
  z.string(),
  z.object({ kind: z.enum(["local", "hf_space"]), from: z.string(), revision: z.string().nullable() }),
);

/** Where each app was installed from: what Python's own records cannot know, since apps are installed from copies. */
export class Records {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, "installed-apps.json");
  }

  /** Adds the origin to what the environment says of an app. */
  async complete(apps: readonly AppInfo[]): Promise<AppInfo[]> {
    const origins = await this.#read();
    return apps.map((app) => {
      const origin = origins[normaliseName(app.name)];
      return origin === undefined ? app : { ...app, extra: { ...app.extra, origin } };
    });
  }

  async put(name: string, origin: Origin): Promise<void> {
    await this.#write({ ...(await this.#read()), [normaliseName(name)]: origin });
  }

  async drop(name: string): Promise<void> {
    const { [normaliseName(name)]: _, ...others } = await this.#read();
    await this.#write(others);
  }

  async #read(): Promise<Record<string, Origin>> {
    return (await readJson(this.#file, RecordFile)) ?? {};
  }

  #write(origins: Record<string, Origin>): Promise<void> {
    return writeJson(this.#file, origins);
  }
}
