import { sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { HubCatalogue } from "./hub-catalogue.ts";
import type { InstalledApp } from "./installed-app.ts";
import type { InstalledApps } from "./installed-apps.ts";
import { nameHints } from "./names.ts";

/** Finds apps by name, installed or in the hub's catalogue. Its errors name the apps that may have been meant. */
export class AppFinder {
  readonly #installed: Pick<InstalledApps, "list">;
  readonly #catalogue: Pick<HubCatalogue, "find" | "cached" | "read">;
  readonly #waitForChange: () => Promise<void>;

  /** @param waitForChange waits for the end of a change of the installed packages that is under way */
  constructor(
    installed: Pick<InstalledApps, "list">,
    catalogue: Pick<HubCatalogue, "find" | "cached" | "read">,
    waitForChange: () => Promise<void> = async () => {},
  ) {
    this.#installed = installed;
    this.#catalogue = catalogue;
    this.#waitForChange = waitForChange;
  }

  /** An installed app; does not use the network. @throws WorkbenchError `app-not-found` */
  async findInstalled(name: string): Promise<InstalledApp> {
    const { apps, found } = await this.#lookUp(name);
    if (found !== undefined) return found;
    const offered = await this.#catalogue.cached();
    const offer = offered.find((app) => sameName(app.name, name));
    const next = offer === undefined ? "" : ` The hub offers it: POST /api/apps/install {"url": "${offer.url}"}.`;
    throw new WorkbenchError(
      "app-not-found",
      `No app named ${JSON.stringify(name)} is installed.${next}${nameHints(name, namesOf(apps), offer ? [] : offered)}`,
    );
  }

  /**
   * Where an app can be installed from: the address of its space, or null when it is installed already.
   * @throws WorkbenchError `app-not-found` when it is neither installed nor on the hub, `hub-unreachable` when the hub
   * does not answer and its cached list has no such app, `bad-request` when several users offer one
   */
  async addressOf(name: string): Promise<string | null> {
    const { apps, found: installed } = await this.#lookUp(name);
    if (installed !== undefined) return null;
    const quoted = JSON.stringify(name);
    const hints = (offered: readonly AppInfo[]) => nameHints(name, namesOf(apps), offered);
    const found = await this.#catalogue.find(name).catch((error: unknown) => {
      if (!(error instanceof WorkbenchError) || error.code !== "hub-unreachable") throw error;
      const unknown = `No app named ${quoted} is installed, and the hub could not be asked for it`;
      throw new WorkbenchError("hub-unreachable", `${unknown}: ${error.message}${hints([])}`, { cause: error });
    });
    if (found?.url != null) return found.url;
    const { hub, apps: offered } = await this.#catalogue.read();
    throw new WorkbenchError(
      "app-not-found",
      `No app named ${quoted} is installed, and ${hub} offers none.${hints(offered)}`,
    );
  }

  /**
   * The installed apps, and the one with this name. One that is missing is looked up again after a change that is under
   * way: an update removes the old files of an app before it writes the new ones.
   */
  async #lookUp(name: string): Promise<{ apps: readonly InstalledApp[]; found: InstalledApp | undefined }> {
    const read = async () => {
      const apps = await this.#installed.list();
      return { apps, found: apps.find(({ info }) => sameName(info.name, name)) };
    };
    const present = await read();
    if (present.found !== undefined) return present;
    await this.#waitForChange();
    return read();
  }
}

const namesOf = (apps: readonly InstalledApp[]): string[] => apps.map(({ info }) => info.name);
