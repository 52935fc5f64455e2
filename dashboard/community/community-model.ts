import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { sameName, searchApps } from "../../robot/wire/apps/app-search.ts";
import type { AppCatalogue, AppInfo, AppUpdate } from "../../robot/wire/apps/app-status.ts";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import type { Client } from "../connection/client.ts";

/** Apps that "Show more" adds to the list: enough to fill it, few enough for a phone. */
const PAGE_SIZE = 25;

/** An app of the hub compared with what is installed here. */
export type CatalogueState =
  | { kind: "available" }
  /** Its job is pending or in progress. */
  | { kind: "installing"; job: Job }
  | { kind: "installed"; app: AppInfo }
  /** Installed, and the hub has a newer revision. */
  | { kind: "outdated"; app: AppInfo }
  /** Another app of the same name is installed; this one would replace it. */
  | { kind: "name-taken"; app: AppInfo };

/** The apps that the hub offers, searched and shown page by page. */
export class CommunityModel {
  readonly #client: Client;
  readonly #now: () => number;
  readonly #catalogue = signal<AppCatalogue | null>(null);
  readonly #updates = signal<readonly AppUpdate[]>([]);
  readonly #loading = signal(false);
  readonly #pages = signal(1);
  readonly #query = signal("");
  #loadedAt = 0;
  /** Null until the daemon has answered. */
  readonly catalogue: ReadonlySignal<AppCatalogue | null> = this.#catalogue;
  readonly loading: ReadonlySignal<boolean> = this.#loading;
  readonly query: ReadonlySignal<string> = this.#query;
  readonly matches = computed(() => searchApps(this.#catalogue.value?.apps ?? [], this.#query.value));
  readonly visible = computed(() => this.matches.value.slice(0, PAGE_SIZE * this.#pages.value));

  /** @param now milliseconds of a clock that only goes forward */
  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  search(query: string): void {
    this.#query.value = query;
    this.#pages.value = 1;
  }

  showMore(): void {
    this.#pages.value += 1;
  }

  /** Milliseconds since the hub sent the catalogue; null when it never did. */
  age(): number | null {
    const age = this.#catalogue.value?.age_s ?? null;
    return age === null ? null : 1000 * age + this.#now() - this.#loadedAt;
  }

  /** Loads the catalogue. @param refresh asks the hub even if it was asked shortly before */
  async load(refresh = false): Promise<void> {
    this.#loading.value = true;
    try {
      this.#catalogue.value = await this.#client.get<AppCatalogue>(`/api/apps/catalogue?refresh=${refresh}`);
      this.#loadedAt = this.#now();
    } finally {
      this.#loading.value = false;
    }
  }

  /** Checks for updates of the apps that were installed from the hub. Without an answer the last result stays. */
  async checkUpdates(installed: readonly AppInfo[]): Promise<void> {
    const hasHubApps = installed.some(({ extra }) => extra.origin?.kind === "hf_space");
    this.#updates.value = hasHubApps
      ? await this.#client.get<AppUpdate[]>("/api/apps/check-updates").catch(() => this.#updates.value)
      : [];
  }

  /** Whether the hub has a newer revision of an installed app. */
  hasUpdate({ name }: AppInfo): boolean {
    return this.#updates.value.some((update) => sameName(update.name, name));
  }

  stateOf(offered: AppInfo, installed: readonly AppInfo[], jobs: readonly Job[]): CatalogueState {
    const job = jobs.find((candidate) => isUnfinished(candidate) && candidate.command === `install ${offered.url}`);
    if (job) return { kind: "installing", job };
    const app = installed.find(({ name }) => sameName(name, offered.name));
    if (app === undefined) return { kind: "available" };
    if (app.extra.origin?.from !== offered.url) return { kind: "name-taken", app };
    return { kind: this.hasUpdate(app) ? "outdated" : "installed", app };
  }
}

export const isUnfinished = ({ status }: Job): boolean => status === "pending" || status === "in_progress";
