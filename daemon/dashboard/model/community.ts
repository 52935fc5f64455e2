import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { matching, sameName } from "../../../robot/wire/app-search.ts";
import type { AppCatalogue, AppInfo, AppUpdate } from "../../../robot/wire/apps.ts";
import type { Job } from "../../../robot/wire/jobs.ts";
import type { Client } from "../link/client.ts";

/** Apps that the list grows by: enough to fill it, few enough for a phone. */
export const PAGE = 25;

/** What the page knows of an app that the hub offers. */
export type Offer =
  | { kind: "offered" }
  /** The job that brings it, waiting or under way. */
  | { kind: "coming"; job: Job }
  | { kind: "installed"; app: AppInfo }
  /** Installed, and its space has moved on. */
  | { kind: "outdated"; app: AppInfo }
  /** Another app of this name is installed; this one would take its place. */
  | { kind: "taken"; app: AppInfo };

/** The apps that the hub offers, searched and shown page by page. */
export class CommunityModel {
  readonly #client: Client;
  readonly #now: () => number;
  readonly #catalogue = signal<AppCatalogue | null>(null);
  readonly #updates = signal<readonly AppUpdate[]>([]);
  readonly #loading = signal(false);
  readonly #pages = signal(1);
  readonly #query = signal("");
  #heard = 0;
  readonly found = computed(() => matching(this.#catalogue.value?.apps ?? [], this.#query.value));
  readonly shown = computed(() => this.found.value.slice(0, PAGE * this.#pages.value));

  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** Null until the daemon was asked. */
  get catalogue(): ReadonlySignal<AppCatalogue | null> {
    return this.#catalogue;
  }

  get loading(): ReadonlySignal<boolean> {
    return this.#loading;
  }

  get query(): ReadonlySignal<string> {
    return this.#query;
  }

  search(query: string): void {
    this.#query.value = query;
    this.#pages.value = 1;
  }

  showMore(): void {
    this.#pages.value += 1;
  }

  /** Milliseconds since the hub told what is shown; null when it never did. */
  age(now: number): number | null {
    const age = this.#catalogue.value?.age_s ?? null;
    return age === null ? null : 1000 * age + now - this.#heard;
  }

  /** Reads what the hub offers. @param refresh asks the hub even when it was asked just before */
  async load(refresh = false): Promise<void> {
    this.#loading.value = true;
    try {
      this.#catalogue.value = await this.#client.get<AppCatalogue>(`/api/apps/catalogue?refresh=${refresh}`);
      this.#heard = this.#now();
    } finally {
      this.#loading.value = false;
    }
  }

  /** Looks for updates of what was installed from the hub. A hub that cannot be asked is no news. */
  async checkUpdates(installed: readonly AppInfo[]): Promise<void> {
    const mayMove = installed.some((app) => originOf(app)?.kind === "hf_space");
    this.#updates.value = mayMove
      ? await this.#client.get<AppUpdate[]>("/api/apps/check-updates").catch(() => this.#updates.value)
      : [];
  }

  /** Whether the space of an installed app has moved on. */
  hasUpdate({ name }: AppInfo): boolean {
    return this.#updates.value.some((update) => sameName(update.name, name));
  }

  /** How an app of the hub stands to what is installed and to what is being installed. */
  offerOf(offered: AppInfo, installed: readonly AppInfo[], jobs: readonly Job[]): Offer {
    const job = jobs.find(({ command, status }) => isOpen(status) && command === `install ${offered.url}`);
    if (job) return { kind: "coming", job };
    const app = installed.find(({ name }) => sameName(name, offered.name));
    if (app === undefined) return { kind: "offered" };
    if (originOf(app)?.from !== offered.url) return { kind: "taken", app };
    return { kind: this.hasUpdate(app) ? "outdated" : "installed", app };
  }
}

/** Where an installed app came from; undefined when it was put there by hand. */
export function originOf({ extra }: AppInfo): { kind: string; from: string } | undefined {
  return extra.origin as { kind: string; from: string } | undefined;
}

const isOpen = (status: Job["status"]): boolean => status === "pending" || status === "in_progress";
