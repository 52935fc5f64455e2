import { computed, signal } from "@preact/signals";
import { WORKSHOP_SECRET_HEADER } from "../../robot/wire/workshop/access-secret.ts";
import type { WorkshopStatus } from "../../robot/wire/workshop/workshop.ts";
import type { Client } from "../connection/client.ts";
import type { EditSession } from "./edit-session.ts";

/** What of the address names the page of the workshop. */
const FRAGMENT = "#edit";
/** The fragment of the link that the terminal shows. */
const LINK = /^#workshop=([\w-]+)$/;
const STORED = "workshop-secret";

/** The parts of the browser that hold the secret and the page that is shown. */
interface Browser {
  /** The fragment of the address. */
  fragment(): string;
  /** Replaces the fragment; `push` adds an entry to the history. */
  setFragment(fragment: string, how: "replace" | "push"): void;
  storage: Pick<Storage, "getItem" | "setItem">;
}

/** Whether the dashboard can edit an app, and whether its page shows that. */
export class WorkshopModel {
  /** The app that can be edited; null when none can, or before the daemon has answered. */
  readonly app = signal<string | null>(null);
  /** The secret of the link, for this tab. */
  readonly secret = signal<string | null>(null);
  /** The page's state, which outlives the page: what is not kept must not be lost by a look at the dashboard. */
  session: EditSession | null = null;
  readonly #wanted = signal(false);
  readonly #hasOpened = signal(false);
  /** Once it was open, a daemon that was started again does not close it: it has text that is not kept. */
  readonly opened = computed(
    () => this.#wanted.value && (this.#hasOpened.value || (this.app.value !== null && this.secret.value !== null)),
  );
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
    this.followAddress();
  }

  /** Reads the address: a secret is kept for this tab and leaves the address. */
  followAddress(): void {
    const { fragment, setFragment, storage } = this.#browser;
    const [, given] = LINK.exec(fragment()) ?? [];
    if (given !== undefined) {
      storage.setItem(STORED, given);
      setFragment(this.#wanted.peek() ? FRAGMENT : "", "replace");
    }
    this.secret.value = storage.getItem(STORED) || null;
    this.#wanted.value = fragment() === FRAGMENT;
  }

  /** Asks the daemon which app can be edited. */
  async refresh(client: Client): Promise<void> {
    this.app.value = (await client.get<WorkshopStatus>("/api/workshop")).app;
  }

  open(): void {
    this.#browser.setFragment(FRAGMENT, "push");
    this.#wanted.value = true;
  }

  close(): void {
    this.#browser.setFragment("", "push");
    this.#wanted.value = false;
  }

  /** The page is shown. */
  shown(): void {
    this.#hasOpened.value = true;
  }

  /** Forgets a secret that the daemon refuses: it was started again. */
  forgetSecret(): void {
    this.#browser.storage.setItem(STORED, "");
    this.secret.value = null;
  }

  /** Adds the secret to requests for the workshop. */
  withSecret(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return (path, init = {}) => {
      const headers = {
        ...(init.headers as Record<string, string>),
        [WORKSHOP_SECRET_HEADER]: this.secret.peek() ?? "",
      };
      return fetch(path, { ...init, headers });
    };
  }
}
