import type { Clock } from "../../common/time/clock.ts";

/** Time without another change before the app restarts: an editor writes a file in several steps. */
const SETTLE_MS = 15;

interface RestarterParts {
  clock: Pick<Clock, "after" | "now">;
  /** Whether the changed files can run; one that cannot keeps the app that runs. */
  canRun(files: readonly string[]): Promise<boolean>;
  restart(): Promise<void>;
  onFailed(error: unknown): void;
}

/** Turns changes of files into restarts, one at a time: changes during a restart cause one more. */
export class Restarter {
  readonly #parts: RestarterParts;
  readonly #changed = new Set<string>();
  #cancelTimer: (() => void) | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(parts: RestarterParts) {
    this.#parts = parts;
  }

  changed(file: string): void {
    if (this.#closed) return;
    this.#changed.add(file);
    this.#cancelTimer?.();
    this.#cancelTimer = this.#parts.clock.after(SETTLE_MS, () => {
      this.#cancelTimer = null;
      this.#next();
    });
  }

  /** Resolves when no restart is under way. No more begins. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  #next(): void {
    if (this.#closed || this.#running !== null || this.#changed.size === 0) return;
    const files = [...this.#changed];
    this.#changed.clear();
    this.#running = this.#run(files).finally(() => {
      this.#running = null;
      // Changes whose timer fired meanwhile.
      if (this.#cancelTimer === null) this.#next();
    });
  }

  async #run(files: readonly string[]): Promise<void> {
    try {
      if (await this.#parts.canRun(files)) await this.#parts.restart();
    } catch (error) {
      this.#parts.onFailed(error);
    }
  }
}
