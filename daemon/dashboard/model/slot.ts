import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AppStatus } from "../../../robot/wire/apps.ts";

const BUSY = new Set(["starting", "running", "stopping"]);

/** The one app that may run. */
export class SlotModel {
  /** The app of the slot, or the last one with how it ended; null before the first. */
  readonly #status = signal<AppStatus | null>(null);
  /** A start or stop was asked for and is not answered yet. */
  readonly pending = signal<"start" | "stop" | null>(null);
  readonly busy = computed(() => BUSY.has(this.#status.value?.state ?? ""));

  get status(): ReadonlySignal<AppStatus | null> {
    return this.#status;
  }

  /** The status at the time the page came or came back. */
  restore(status: AppStatus | null): void {
    this.#status.value = status;
  }

  /** A change told as it happens, or the answer to a request, which may come later than what it brought about. */
  change(status: AppStatus): void {
    if (status.since >= (this.#status.value?.since ?? 0)) this.#status.value = status;
  }
}
