import { computed, signal } from "@preact/signals";
import type { LogLine } from "../../apps/app-events.ts";

/** Lines that the page keeps and, of those, shows. */
const KEPT = 2000;
const SHOWN = 500;

export interface ShownLine extends LogLine {
  id: number;
}

/** The apps' output as it comes: filtered, held still when somebody reads, never longer than `KEPT`. */
export class LogModel {
  readonly #lines = signal<readonly ShownLine[]>([]);
  /** The lines at the moment of the pause; undefined while the log follows. */
  readonly #held = signal<readonly ShownLine[] | undefined>(undefined);
  readonly filter = signal("");
  readonly errorsOnly = signal(false);
  readonly paused = computed(() => this.#held.value !== undefined);
  /** Lines that came since the pause. */
  readonly waiting = computed(() => {
    const held = this.#held.value?.at(-1)?.id ?? 0;
    return this.paused.value ? this.#lines.value.filter(({ id }) => id > held).length : 0;
  });
  readonly shown = computed(() => {
    const needle = this.filter.value.trim().toLowerCase();
    return (this.#held.value ?? this.#lines.value)
      .filter((line) => !this.errorsOnly.value || line.from === "stderr")
      .filter((line) => needle === "" || line.text.toLowerCase().includes(needle))
      .slice(-SHOWN);
  });
  #queue: LogLine[] = [];
  #next = 1;
  readonly #flushSoon: (flush: () => void) => void;

  /** `flushSoon` calls back a little later; lines that come meanwhile are shown together. */
  constructor(flushSoon: (flush: () => void) => void) {
    this.#flushSoon = flushSoon;
  }

  /** Lines of the past, oldest first; what is known already is not repeated. */
  restore(lines: readonly LogLine[]): void {
    const known = this.#lines.value;
    const key = ({ time, app, from, text }: LogLine) => `${time} ${app} ${from} ${text}`;
    const seen = new Set(lines.map(key));
    const later = known.filter((line) => !seen.has(key(line)));
    this.#lines.value = [...lines, ...later].sort((a, b) => a.time - b.time).map((line) => this.#numbered(line));
  }

  push(line: LogLine): void {
    this.#queue.push(line);
    if (this.#queue.length === 1) this.#flushSoon(() => this.#flush());
  }

  pause(): void {
    this.#held.value ??= this.#lines.value;
  }

  follow(): void {
    this.#held.value = undefined;
  }

  clear(): void {
    this.#queue = [];
    this.#lines.value = [];
    this.#held.value = undefined;
  }

  /** The last lines that an app wrote to its error output, or said at all when there are none. */
  lastWords(app: string, count: number): readonly ShownLine[] {
    const own = this.#lines.value.filter((line) => line.app === app && line.from !== "daemon");
    const errors = own.filter(({ from }) => from === "stderr");
    return (errors.length > 0 ? errors : own).slice(-count);
  }

  #flush(): void {
    const fresh = this.#queue.map((line) => this.#numbered(line));
    this.#queue = [];
    this.#lines.value = [...this.#lines.value, ...fresh].slice(-KEPT);
  }

  #numbered(line: LogLine): ShownLine {
    return { ...line, id: this.#next++ };
  }
}
