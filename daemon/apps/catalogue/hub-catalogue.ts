import path from "node:path";
import { z } from "zod";
import type { Clock } from "../../../common/time/clock.ts";
import { DIALECTS, dialectsOfTags } from "../../../robot/dialects/dialects.ts";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import { type AppCatalogue, AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { readJson, writeText } from "../../files/json-file.ts";
import type { HubClient, SpaceFacts } from "../hub/hub-client.ts";
import { isAppName } from "./names.ts";

/** How long a list is shown without asking the hub again. */
const FRESH_MS = 5 * 60_000;
/** Time for all pages of the list together. */
const DEADLINE_MS = 60_000;

export const CachedCatalogue = z.object({ hub: z.string(), fetched_at: z.number(), apps: z.array(AppInfo) });
type CachedCatalogue = z.infer<typeof CachedCatalogue>;

interface HubCatalogueOptions {
  dataDir: string;
  clock: Clock;
  /** Ends requests to the hub when the daemon shuts down. */
  closing: AbortSignal;
}

/** The apps that the hub offers. The list is cached on disk, so that a robot without a network still shows it. */
export class HubCatalogue {
  readonly #hub: HubClient;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  #cached: CachedCatalogue | null = null;
  /** When the cached list was read, and how old it was then, in milliseconds. */
  #readAt = 0;
  #ageThen = 0;
  /** `HubClient.accountChanges` when the last list was requested. */
  #accountChanges = 0;
  #request: Promise<CachedCatalogue> | null = null;

  constructor(hub: HubClient, { dataDir, clock, closing }: HubCatalogueOptions) {
    this.#hub = hub;
    this.#file = path.join(dataDir, "catalogue.json");
    this.#clock = clock;
    this.#closing = closing;
  }

  /**
   * The whole catalogue, the most liked apps first. Where the hub does not answer, the cached list and the reason.
   * @param refresh asks the hub even when the cached list is fresh
   * @throws the reason of the closing signal
   */
  async read(refresh = false): Promise<AppCatalogue> {
    await this.#readCache();
    if (!refresh && this.#isFresh()) return this.#answer(null);
    try {
      this.#request ??= this.#fetchAll().finally(() => {
        this.#request = null;
      });
      this.#keep(await this.#request, 0);
      return this.#answer(null);
    } catch (error) {
      this.#closing.throwIfAborted();
      return this.#answer(this.#reasonOf(error));
    }
  }

  /** The cached list, however old it is; does not ask the hub. */
  async cached(): Promise<readonly AppInfo[]> {
    await this.#readCache();
    return this.#cached?.apps ?? [];
  }

  /**
   * The app with a name; null when the hub offers none.
   * @throws WorkbenchError `bad-request` when several users offer one, `hub-unreachable` when the hub does not answer
   */
  async find(name: string): Promise<AppInfo | null> {
    const matches = ({ apps }: AppCatalogue) => apps.filter((app) => sameName(app.name, name));
    await this.#readCache();
    const cached = this.#isFresh() ? await this.read() : null;
    // An app that is missing in a cached list may have been published since.
    const catalogue = cached !== null && matches(cached).length > 0 ? cached : await this.read(true);
    const [found, { offline }] = [matches(catalogue), catalogue];
    if (found.length > 1) {
      const addresses = found.map(({ url }) => url).join(", ");
      throw new WorkbenchError(
        "bad-request",
        `Several apps are named ${name}: ${addresses}. Install one of them first.`,
      );
    }
    if (found[0] === undefined && offline !== null) throw new WorkbenchError("hub-unreachable", offline);
    return found[0] ?? null;
  }

  async #fetchAll(): Promise<CachedCatalogue> {
    // A list that was requested for another user is fetched again by the next read.
    this.#accountChanges = this.#hub.accountChanges;
    const deadline = AbortSignal.any([this.#closing, AbortSignal.timeout(DEADLINE_MS)]);
    const lists = await Promise.all(DIALECTS.map(({ tag }) => this.#spacesWith(tag, deadline)));
    // A space with the tags of two dialects is on both lists.
    const spaces = [...new Map(lists.flat().map((space) => [space.id, space])).values()];
    spaces.sort((one, other) => other.likes - one.likes || one.id.localeCompare(other.id));
    const apps = spaces.map((space) => appInfo(space, this.#hub)).filter(({ name }) => isAppName(name));
    const fetched: CachedCatalogue = { hub: this.#hub.url, fetched_at: this.#clock.unixTime(), apps };
    await writeText(this.#file, JSON.stringify(fetched), { mode: 0o600, sync: false }).catch(() => {
      // Where the disk is full, the list is shown without being cached.
    });
    return fetched;
  }

  async #spacesWith(tag: string, signal: AbortSignal): Promise<SpaceFacts[]> {
    const spaces: SpaceFacts[] = [];
    for await (const space of this.#hub.spacesWith(tag, signal)) spaces.push(space);
    return spaces;
  }

  async #readCache(): Promise<void> {
    if (this.#cached !== null) return;
    const cached = await readJson(this.#file, CachedCatalogue);
    if (cached?.hub === this.#hub.url) this.#keep(cached, this.#clock.unixTime() - cached.fetched_at);
  }

  /** @param age milliseconds; negative when the wall clock was set back since the list was fetched */
  #keep(catalogue: CachedCatalogue, age: number): void {
    this.#cached = catalogue;
    this.#ageThen = age;
    this.#readAt = this.#clock.now();
  }

  #reasonOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    if (error.name !== "TimeoutError") return error.message;
    const next = "Check the network and --hub-url, then try again.";
    return `${this.#hub.url} did not list its apps within ${DEADLINE_MS / 1000} s. ${next}`;
  }

  #isFresh(): boolean {
    const isSameUser = this.#accountChanges === this.#hub.accountChanges;
    return isSameUser && this.#cached !== null && this.#ageThen >= 0 && this.#ageMs() < FRESH_MS;
  }

  #ageMs(): number {
    return Math.max(0, this.#ageThen) + this.#clock.now() - this.#readAt;
  }

  #answer(offline: string | null): AppCatalogue {
    const age_s = this.#cached === null ? null : Math.round(this.#ageMs() / 1000);
    return { hub: this.#hub.url, apps: this.#cached?.apps ?? [], age_s, offline };
  }
}

function appInfo(
  { id, likes, sha, lastModified, cardData: card, tags, private: isPrivate }: SpaceFacts,
  hub: HubClient,
): AppInfo {
  const [author = "", name = ""] = id.split("/");
  const [dialect] = dialectsOfTags(tags);
  const { title = "", emoji = "", short_description: description = "" } = card;
  return {
    name,
    source_kind: "hf_space",
    description: description || title,
    url: hub.addressOf(id),
    extra: {
      ...(dialect && { dialect: dialect.id }),
      id,
      author,
      title,
      emoji,
      likes,
      revision: sha,
      last_modified: lastModified.toISOString(),
      private: isPrivate,
    },
  };
}
