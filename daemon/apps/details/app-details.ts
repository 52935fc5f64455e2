import { lstat, readdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { ifUnusable } from "../../../common/machine/absent.ts";
import { readRegularFile } from "../../../common/machine/read-if-present.ts";
import { SerialQueue } from "../../../common/serial-queue.ts";
import type { AppDetails } from "../../../robot/wire/apps/app-details.ts";
import type { AppSetting } from "../../../robot/wire/apps/app-settings.ts";
import type { AppReader } from "../app-reader.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import type { HubClient } from "../hub/hub-client.ts";
import type { AppLocks } from "../slot/app-locks.ts";
import { readSettings, type SettingChanges, writeSettings } from "./app-settings.ts";
import { readVerdict } from "./app-verdict.ts";
import type { CrashRestarts } from "./crash-restarts.ts";

interface AppDetailsParts {
  /** @throws WorkbenchError `app-not-found` */
  find(name: string): Promise<InstalledApp>;
  /** Folder of the apps' working folders. */
  workDir: string;
  reader: AppReader | undefined;
  locks: Pick<AppLocks, "lockToChange">;
  restarts: CrashRestarts;
  hub: HubClient;
}

/** Characters of a README that are shown. */
const MAX_README = 100_000;

/** What a person wants to know of an installed app, and its data. */
export class AppDetailsReader {
  readonly #parts: AppDetailsParts;
  readonly #changes = new SerialQueue();

  constructor(parts: AppDetailsParts) {
    this.#parts = parts;
  }

  /** @throws WorkbenchError `app-not-found` */
  async read(name: string): Promise<AppDetails> {
    const { reader, restarts, hub } = this.#parts;
    const app = await this.#parts.find(name);
    const { info, module, file, ownVenv } = app;
    const [top = module] = module.split(".");
    const root = file && path.resolve(file, ...module.split(".").map(() => ".."));
    const code = ownVenv ?? (root && path.join(root, top === module ? `${top}.py` : top));
    const [readme, code_bytes, data_bytes, uses, verdict, settings] = await Promise.all([
      readReadme(app),
      code === null ? 0 : bytesIn(await realpath(code).catch(() => code)),
      bytesIn(this.#dataFolder(app)),
      reader !== undefined && file !== null ? reader.appUses({ info, module, file }).catch(() => null) : null,
      readVerdict({ name: info.name, origin: info.extra.origin }, hub),
      file === null ? NO_SETTINGS : readSettings(file, this.#dataFolder(app)).then(withoutError, asError),
    ]);
    const restart_after_crash = restarts.has(info.name);
    return { info, ...readme, code_bytes, data_bytes, uses, verdict, restart_after_crash, ...settings };
  }

  /** Chooses whether an app is started again after a crash. @throws WorkbenchError `app-not-found`, `disk-full` */
  async chooseRestart(name: string, restarts: boolean): Promise<void> {
    const { info } = await this.#parts.find(name);
    await this.#parts.restarts.choose(info.name, restarts);
  }

  /**
   * Sets some of the settings that an app declares, also while it runs. One change after the other, so that none is lost.
   * @throws WorkbenchError `app-not-found`; as `writeSettings`
   */
  changeSettings(name: string, changes: SettingChanges): Promise<void> {
    return this.#changes.run(async () => {
      const app = await this.#parts.find(name);
      await writeSettings(app.file ?? "", this.#dataFolder(app), changes);
    });
  }

  /**
   * Deletes the files that an app wrote into its working folder.
   * @throws WorkbenchError `app-not-found`, `app-already-running`, `app-busy`
   */
  resetData(name: string): Promise<void> {
    return this.#changes.run(async () => {
      const app = await this.#parts.find(name);
      const unlock = this.#parts.locks.lockToChange([app.info.name]);
      try {
        await rm(this.#dataFolder(app), { recursive: true, force: true });
      } finally {
        unlock();
      }
    });
  }

  #dataFolder({ info }: InstalledApp): string {
    return path.join(this.#parts.workDir, info.name);
  }
}

const NO_SETTINGS = { settings: [], settings_error: null };
const withoutError = (settings: AppSetting[]) => ({ settings, settings_error: null });
const asError = (error: Error) => ({ settings: [], settings_error: error.message });

/** The README that the package brings, or that lies in the folder that it was installed from. */
async function readReadme({ info, metadataFolder }: InstalledApp): Promise<Pick<AppDetails, "readme" | "picture">> {
  const { origin, folder } = info.extra;
  const texts = [
    async () =>
      (await readRegularFile(path.join(metadataFolder ?? "", "METADATA")))
        .split(/\r?\n\r?\n/)
        .slice(1)
        .join("\n\n"),
    ...[folder, origin?.kind === "local" ? origin.from : null].map((from) => async () => {
      return typeof from === "string" ? readRegularFile(path.join(from, "README.md")) : "";
    }),
  ];
  for (const read of texts) {
    const text = await read().catch(ifUnusable(""));
    if (text.trim() === "") continue;
    const [head = ""] = /^\s*---\r?\n[\s\S]*?\r?\n---\r?\n/.exec(text) ?? [];
    const picture = /^emoji:\s*["']?([^\s"']+)/m.exec(head)?.[1] ?? null;
    return { readme: text.slice(head.length).trim().slice(0, MAX_README) || null, picture };
  }
  return { readme: null, picture: null };
}

/** Bytes of a file or of everything in a folder; links are not followed, what cannot be read does not count. */
async function bytesIn(place: string): Promise<number> {
  const found = await lstat(place).catch(ifUnusable(null));
  if (found === null || !found.isDirectory()) return found?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(place).catch(ifUnusable<string[]>([])))
    bytes += await bytesIn(path.join(place, name));
  return bytes;
}
