import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";

const BUSY = new Set(["starting", "running", "stopping"]);

/** The slot, in which one app at a time runs. */
export class SlotModel {
  readonly #status = signal<AppStatus | null>(null);
  /** The app in the slot, or the last one with its end; null before the first. */
  readonly status: ReadonlySignal<AppStatus | null> = this.#status;
  #revision = 0;
  /** A start or stop was requested and is not answered yet. */
  readonly pending = signal<"start" | "stop" | null>(null);
  readonly busy = computed(() => BUSY.has(this.#status.value?.state ?? ""));

  /** Whether an app runs and is not stopping. */
  runs(name: string): boolean {
    const status = this.#status.value;
    return status?.info.name === name && status.state === "running";
  }

  get revision(): number {
    return this.#revision;
  }

  /** Takes an event, or the status at the time of a connection. */
  change(status: AppStatus | null): void {
    this.#revision += 1;
    this.#status.value = status;
  }

  /**
   * Takes the answer to a request, unless an event has arrived since: events are newer, or are followed by newer ones. The
   * times in the statuses do not show it, because the daemon's clock may be set.
   * @param revision before the request
   */
  takeAnswer(status: AppStatus, revision: number): void {
    if (revision === this.#revision) this.change(status);
  }
}
