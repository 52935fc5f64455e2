import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AppStatus } from "../../../robot/wire/apps.ts";

const BUSY = new Set(["starting", "running", "stopping"]);

/** The one app that may run. */
export class SlotModel {
  /** The app of the slot, or the last one with how it ended; null before the first. */
  readonly #status = signal<AppStatus | null>(null);
  /** When the page saw the app enter its state, ms since the epoch; null when that was before the page came. */
  readonly #since = signal<number | null>(null);
  /** A start or stop was asked for and is not answered yet. */
  readonly pending = signal<"start" | "stop" | null>(null);
  readonly busy = computed(() => BUSY.has(this.#status.value?.state ?? ""));
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get status(): ReadonlySignal<AppStatus | null> {
    return this.#status;
  }

  get since(): ReadonlySignal<number | null> {
    return this.#since;
  }

  /** The status at the time the page came or came back. */
  restore(status: AppStatus | null): void {
    if (this.#key(status) !== this.#key(this.#status.value)) this.#since.value = null;
    this.#status.value = status;
  }

  /** A change told as it happens. Uptime counts from `running`. */
  change(status: AppStatus): void {
    if (this.#key(status) !== this.#key(this.#status.value)) this.#since.value = this.#now();
    this.#status.value = status;
  }

  #key(status: AppStatus | null): string {
    return status === null ? "" : `${status.info.name} ${status.state}`;
  }
}
