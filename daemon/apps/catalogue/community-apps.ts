import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { APP_TAG } from "../../../robot/wire/app-package.ts";
import { sameName } from "../../../robot/wire/app-search.ts";
import { type AppCatalogue, AppInfo } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import type { Hub, SpaceFacts } from "../hub/hub.ts";
import { readJson } from "../json-file.ts";
import { isAppName } from "./names.ts";

/** How long a list is shown without asking the hub again. */
const FRESH_MS = 5 * 60_000;
/** All pages together. */
const DEADLINE_MS = 60_000;

const Kept = z.object({ hub: z.string(), fetched_at: z.number(), apps: z.array(AppInfo) });
type Kept = z.infer<typeof Kept>;

/** The apps that the hub offers, as it said last; kept on disk, so that a robot without a network still shows them. */
export class CommunityApps {
  readonly #hub: Hub;
  readonly #file: string;
  readonly #clock: Clock;
  #kept: Kept | null = null;
  #asking: Promise<Kept> | null = null;

  constructor(hub: Hub, dataDir: string, clock: Clock) {
    this.#hub = hub;
    this.#file = path.join(dataDir, "catalogue.json");
    this.#clock = clock;
  }

  /**
   * The whole catalogue; where the hub cannot be asked, the one before, with the reason. The most liked come first.
   * @param refresh asks the hub even when the list is fresh
   * @throws the signal's reason
   */
  async read(signal: AbortSignal, refresh = false): Promise<AppCatalogue> {
    this.#kept ??= await this.#readKept();
    if (!refresh && this.#kept !== null && this.#ageMs() < FRESH_MS) return this.#shown(null);
    try {
      this.#asking ??= this.#ask(signal).finally(() => {
        this.#asking = null;
      });
      this.#kept = await this.#asking;
      return this.#shown(null);
    } catch (error) {
      signal.throwIfAborted();
      return this.#shown(error instanceof Error ? error.message : String(error));
    }
  }

  /** What the hub offered when it was last asked, however long ago; nobody is asked. */
  async kept(): Promise<readonly AppInfo[]> {
    this.#kept ??= await this.#readKept();
    return this.#kept?.apps ?? [];
  }

  /**
   * The app of a name; null when the hub offers none.
   * @throws WorkbenchError `bad-request` when several users offer one, `hub-unreachable` when nobody can know
   */
  async find(name: string, signal: AbortSignal): Promise<AppInfo | null> {
    const { apps, offline } = await this.read(signal);
    const found = apps.filter((app) => sameName(app.name, name));
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

  async #ask(signal: AbortSignal): Promise<Kept> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const spaces: SpaceFacts[] = [];
    for await (const space of this.#hub.spacesWith(APP_TAG, deadline)) spaces.push(space);
    spaces.sort((one, other) => other.likes - one.likes || one.id.localeCompare(other.id));
    const apps = spaces.map((space) => appOf(space, this.#hub)).filter(({ name }) => isAppName(name));
    const kept: Kept = { hub: this.#hub.url, fetched_at: this.#clock.unixTime(), apps };
    await writeFileAtomic(this.#file, JSON.stringify(kept), { mode: 0o600 }).catch(() => {
      // A full disk is no reason to show nothing.
    });
    return kept;
  }

  async #readKept(): Promise<Kept | null> {
    const kept = await readJson(this.#file, Kept);
    return kept?.hub === this.#hub.url ? kept : null;
  }

  #ageMs(): number {
    return Math.max(0, this.#clock.unixTime() - (this.#kept?.fetched_at ?? 0));
  }

  #shown(offline: string | null): AppCatalogue {
    const age_s = this.#kept === null ? null : Math.round(this.#ageMs() / 1000);
    return { hub: this.#hub.url, apps: this.#kept?.apps ?? [], age_s, offline };
  }
}

function appOf({ id, likes, sha, lastModified, card, private: hidden }: SpaceFacts, hub: Hub): AppInfo {
  const [author = "", name = ""] = id.split("/");
  const text = (field: string) => (typeof card[field] === "string" ? card[field] : "");
  return {
    name,
    source_kind: "hf_space",
    description: text("short_description") || text("title"),
    url: hub.addressOf(id),
    extra: {
      id,
      author,
      title: text("title"),
      emoji: text("emoji"),
      likes,
      revision: sha,
      last_modified: lastModified.toISOString(),
      private: hidden,
    },
  };
}
