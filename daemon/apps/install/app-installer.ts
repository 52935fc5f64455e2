import path from "node:path";
import { codeOf } from "../../../robot/rest/daemon-client.ts";
import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import type { AppInfo, AppUpdate } from "../../../robot/wire/apps/app-status.ts";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { AppFinder } from "../catalogue/app-finder.ts";
import type { HubClient } from "../hub/hub-client.ts";
import { spaceIdIn } from "../hub/space-address.ts";
import { parseSource } from "./fetch/parse-source.ts";
import { type EnvironmentChoice, installApp } from "./install-app.ts";
import type { InstallParts } from "./install-parts.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { removeApp } from "./remove-app.ts";

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
  /** By name, what `ensureInstalled` waits for. */
  readonly #pending = new Map<string, Promise<void>>();

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

  /**
   * Installs an app from the hub unless it is installed. Settles when it is; calls for the same app share one job.
   * @throws WorkbenchError why it could not be installed; `app-not-found` when there is no app with this name
   */
  ensureInstalled(name: string): Promise<void> {
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const work = this.#installUnlessThere(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, work);
    return work;
  }

  async #installUnlessThere(name: string): Promise<void> {
    const { finder, jobs } = this.#parts;
    const address = await finder.addressOf(name);
    if (address === null) return;
    const { status, error, code } = await jobs.done(this.install(address).job_id);
    if (status === "done") return;
    throw new WorkbenchError(codeOf(code, "install-failed"), error ?? `The installation of ${name} was cancelled.`);
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

  /**
   * The installed apps whose space has a newer commit. Spaces that were deleted, or are on another hub, have no updates.
   * @throws WorkbenchError `hub-token`, `hub-unreachable`; the signal's reason
   */
  async availableUpdates(): Promise<AppUpdate[]> {
    const apps = await this.#parts.installed.list();
    const found = await Promise.all(apps.map(({ info }) => this.#updateOf(info)));
    return found.filter((update) => update !== null);
  }

  async #updateOf({ name, extra: { origin } }: AppInfo): Promise<AppUpdate | null> {
    const { hub, closing } = this.#parts;
    if (origin?.kind !== "hf_space") return null;
    try {
      const { sha } = await hub.space(spaceIdIn(origin.from, hub.url), closing);
      return sha === origin.revision ? null : { name, url: origin.from, installed: origin.revision, available: sha };
    } catch (error) {
      const isGone = error instanceof WorkbenchError && ["space-not-found", "address-refused"].includes(error.code);
      if (isGone) return null;
      throw error;
    }
  }
}

/**
 * Where an installed app can be installed from again: the address of its space, or its folder.
 * @throws WorkbenchError `bad-request` for one that was installed by hand
 */
function originOf({ name, extra: { origin } }: AppInfo): AppOrigin {
  if (origin !== undefined) return origin;
  const next = "Update it in the same way, or install it from its space or folder first.";
  throw new WorkbenchError("bad-request", `${name} was put into the environment by hand. ${next}`);
}
