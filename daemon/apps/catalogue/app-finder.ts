import { sameName } from "../../../robot/wire/app-search.ts";
import type { AppInfo } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CommunityApps } from "./community-apps.ts";
import type { InstalledApp } from "./installed-app.ts";
import { nameHints } from "./names.ts";

/** Finds apps by their names, here and at the hub, and says of an unknown one what may have been meant. */
export class AppFinder {
  readonly #catalogue: Pick<Catalogue, "list">;
  readonly #community: Pick<CommunityApps, "find" | "kept" | "read">;

  constructor(catalogue: Pick<Catalogue, "list">, community: Pick<CommunityApps, "find" | "kept" | "read">) {
    this.#catalogue = catalogue;
    this.#community = community;
  }

  /** An installed app; nobody is asked over the network. @throws WorkbenchError `app-not-found` */
  async installed(name: string): Promise<InstalledApp> {
    const apps = await this.#catalogue.list();
    const found = apps.find(({ info }) => sameName(info.name, name));
    if (found !== undefined) return found;
    const offered = await this.#community.kept();
    const here = offered.find((app) => sameName(app.name, name));
    const next = here === undefined ? "" : ` The hub offers it: POST /api/apps/install {"url": "${here.url}"}.`;
    throw new WorkbenchError(
      "app-not-found",
      `No app named ${JSON.stringify(name)} is installed.${next}${nameHints(name, namesOf(apps), here ? [] : offered)}`,
    );
  }

  /**
   * What there is of an app: the address of its space, or null when it is installed already.
   * @throws WorkbenchError `app-not-found` when neither this machine nor the hub has it, `hub-unreachable` when the hub
   * cannot be asked, `bad-request` when several users offer one
   */
  async addressOf(name: string, signal: AbortSignal): Promise<string | null> {
    const apps = await this.#catalogue.list();
    if (apps.some(({ info }) => sameName(info.name, name))) return null;
    const quoted = JSON.stringify(name);
    const hints = (offered: readonly AppInfo[]) => nameHints(name, namesOf(apps), offered);
    const found = await this.#community.find(name, signal).catch((error: unknown) => {
      if (!(error instanceof WorkbenchError) || error.code !== "hub-unreachable") throw error;
      const unknown = `No app named ${quoted} is installed, and whether the hub offers one could not be asked`;
      throw new WorkbenchError("hub-unreachable", `${unknown}: ${error.message}${hints([])}`, { cause: error });
    });
    if (found?.url != null) return found.url;
    const { hub, apps: offered } = await this.#community.read(signal);
    throw new WorkbenchError(
      "app-not-found",
      `No app named ${quoted} is installed, and ${hub} offers none.${hints(offered)}`,
    );
  }
}

const namesOf = (apps: readonly InstalledApp[]): string[] => apps.map(({ info }) => info.name);
