import { computed, signal } from "@preact/signals";
import type { LogLine } from "../../robot/wire/apps/app-events.ts";

/** Lines that the page keeps and, of those, shows. */
const CAPACITY = 2000;
const LARGEST_VIEW = 500;

export interface NumberedLine extends LogLine {
  id: number;
}

/** The apps' output as it arrives: filtered, paused while a person reads, at most `CAPACITY` lines. */
export class LogModel {
  readonly #lines = signal<readonly NumberedLine[]>([]);
  /** The lines at the moment of the pause; undefined while the log follows. */
  readonly #pausedAt = signal<readonly NumberedLine[] | undefined>(undefined);
  readonly filter = signal("");
  readonly errorsOnly = signal(false);
  readonly paused = computed(() => this.#pausedAt.value !== undefined);
  /** Number of lines that arrived since the pause. */
  readonly unread = computed(() => {
    const lastRead = this.#pausedAt.value?.at(-1)?.id ?? 0;
    return this.paused.value ? this.#lines.value.filter(({ id }) => id > lastRead).length : 0;
  });
  readonly visible = computed(() => {
    const text = this.filter.value.trim().toLowerCase();
    return (this.#pausedAt.value ?? this.#lines.value)
      .filter((line) => !this.errorsOnly.value || line.from === "stderr")
      .filter((line) => text === "" || line.text.toLowerCase().includes(text))
      .slice(-LARGEST_VIEW);
  });
  #queue: LogLine[] = [];
  #nextId = 1;
  #firstOfConnection = 1;
  readonly #scheduleFlush: (flush: () => void) => void;

  /** `scheduleFlush` calls back a little later; the lines that arrive until then are shown together. */
  constructor(scheduleFlush: (flush: () => void) => void) {
    this.#scheduleFlush = scheduleFlush;
  }

  /** Marks the beginning of a connection: `restore` puts the past before the lines that arrive from now on. */
  beginConnection(): void {
    this.#flush();
    this.#firstOfConnection = this.#nextId;
  }

  /**
   * Adds an app's lines of the past, oldest first, without repeating those that are shown already. Lines keep their order
   * of arrival; their times are no help, because the daemon's clock may be set meanwhile.
   */
  restore(lines: readonly LogLine[]): void {
    this.#flush();
    const places = new Map(lines.map((line, i) => [keyOf(line), i]));
    const merged: LogLine[] = [];
    let restored = 0;
    for (const line of this.#lines.value) {
      if (line.id >= this.#firstOfConnection) break;
      const place = places.get(keyOf(line));
      if (place === undefined) merged.push(line);
      else for (; restored <= place; restored += 1) merged.push(...lines.slice(restored, restored + 1));
    }
    merged.push(...lines.slice(restored));
    const live = this.#lines.value.filter((line) => line.id >= this.#firstOfConnection && !places.has(keyOf(line)));
    const kept = [...merged, ...live].slice(-CAPACITY);
    this.#firstOfConnection = this.#nextId + kept.length - live.length;
    this.#lines.value = kept.map((line) => this.#numbered(line));
  }

  push(line: LogLine): void {
    this.#queue.push(line);
    if (this.#queue.length === 1) this.#scheduleFlush(() => this.#flush());
  }

  pause(): void {
    this.#pausedAt.value ??= this.#lines.value;
  }

  follow(): void {
    this.#pausedAt.value = undefined;
  }

  clear(): void {
    this.#queue = [];
    this.#lines.value = [];
    this.#pausedAt.value = undefined;
  }

  /** The last lines of an app's error output, or of its whole output when it has no error output. */
  lastLines(app: string, count: number): readonly NumberedLine[] {
    const own = this.#lines.value.filter((line) => line.app === app && line.from !== "daemon");
    const errors = own.filter(({ from }) => from === "stderr");
    return (errors.length > 0 ? errors : own).slice(-count);
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    const added = this.#queue.map((line) => this.#numbered(line));
    this.#queue = [];
    this.#lines.value = [...this.#lines.value, ...added].slice(-CAPACITY);
  }

  #numbered(line: LogLine): NumberedLine {
    return { ...line, id: this.#nextId++ };
  }
}

const keyOf = ({ time, app, from, text }: LogLine): string => `${time} ${app} ${from} ${text}`;
