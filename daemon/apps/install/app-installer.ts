import path from "node:path";
import type { AppUpdate } from "../../../robot/wire/apps/app-status.ts";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import type { AppFinder } from "../catalogue/app-finder.ts";
import type { HubClient } from "../hub/hub-client.ts";
import { parseSource } from "./fetch/parse-source.ts";
import { type EnvironmentChoice, installApp } from "./install-app.ts";
import type { InstallParts } from "./install-parts.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { removeApp } from "./remove-app.ts";
import { originOf, updatesOf } from "./updates.ts";

/** Removes an app, with the whole distribution that it belongs to. */
export type AppRemoval = typeof removeApp;

interface AppInstallerParts extends InstallParts {
  hub: HubClient;
  finder: AppFinder;
  jobs: Jobs;
  remove: AppRemoval;
  /** Aborts when the daemon shuts down. */
  closing: AbortSignal;
}

/** Installs, updates and removes apps. Each is a job; jobs run one after another. */
export class AppInstaller {
  readonly #parts: AppInstallerParts;

  constructor(parts: AppInstallerParts) {
    this.#parts = parts;
  }

  /**
   * Installs (or updates) an app from the address of its space, or from a folder of this machine.
   * @param options.editable runs it from that folder, so that a restart of the app runs its changes
   * @param options.isolated as in `EnvironmentChoice`
   * @throws WorkbenchError `address-refused`, `shutting-down`
   */
  install(from: string, { editable = false, isolated }: { editable?: boolean } & EnvironmentChoice = {}): Job {
    const source = {
      ...parseSource(from, this.#parts.hub),
      ...(editable ? { editableFolder: path.resolve(from) } : {}),
    };
    return this.#parts.jobs.add(`install ${source.name}`, (run) => installApp(source, this.#parts, run, { isolated }));
  }

  /** Installs an app again from where it came. @throws WorkbenchError `app-not-found`, `bad-request`, as `install` */
  async update(name: string): Promise<Job> {
    const { info } = await this.#parts.finder.findInstalled(name);
    return this.install(originOf(info).from);
  }

  /** @throws WorkbenchError `app-not-found`, `shutting-down` */
  async remove(name: string): Promise<Job> {
    const { info } = await this.#parts.finder.findInstalled(name);
    return this.#parts.jobs.add(`remove ${info.name}`, async (run) => {
      await this.#parts.remove(info.name, this.#parts, run);
      return null;
    });
  }

  /** The installed apps whose space has a newer commit. @throws WorkbenchError `hub-unreachable` */
  async availableUpdates(): Promise<AppUpdate[]> {
    const { installed, hub, closing } = this.#parts;
    const apps = await installed.list();
    return updatesOf(
      apps.map(({ info }) => info),
      hub,
      closing,
    );
  }
}
