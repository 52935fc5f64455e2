import { type ReadonlySignal, signal } from "@preact/signals";

type ToastLevel = "info" | "warning" | "error";
interface Toast {
  id: number;
  level: ToastLevel;
  text: string;
  /** How often this text was shown while the toast was visible. */
  count: number;
  /** When it was shown first, and until when it is; milliseconds since the Unix epoch. */
  shown: number;
  until: number;
}

/** Milliseconds that a toast stays visible after it was shown last. */
const DURATION = { info: 4000, warning: 8000, error: 12_000 };
/** Milliseconds that a toast stays visible at most, however often its text comes again. */
const LONGEST = 20_000;
/** Milliseconds that a text is not shown again after its toast was dismissed, or came again for so long. */
const PAUSE = 60_000;
const CAPACITY = 4;
const MAX_PAUSED = 50;

/** Short messages that disappear; a repeated text only raises its count. */
export class Toasts {
  readonly #list = signal<readonly Toast[]>([]);
  readonly list: ReadonlySignal<readonly Toast[]> = this.#list;
  /** Until when texts are not shown, by text. */
  readonly #paused = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  show(level: ToastLevel, text: string): void {
    this.dismissOld();
    const now = Date.now();
    if ((this.#paused.get(text) ?? 0) > now) return;
    const same = this.#list.value.find((toast) => toast.level === level && toast.text === text);
    const { id, shown, count } = same ?? { id: this.#nextId++, shown: now, count: 0 };
    const until = Math.min(now + DURATION[level], shown + LONGEST);
    const others = this.#list.value.filter((toast) => toast.id !== id);
    this.#list.value = [...others.slice(-CAPACITY + 1), { id, level, text, count: count + 1, shown, until }];
    this.#schedule();
  }

  readonly report = (error: unknown): void =>
    this.show("error", error instanceof Error ? error.message : String(error));

  /** A person has seen it. */
  dismiss(id: number): void {
    const seen = this.#list.value.find((toast) => toast.id === id);
    if (seen !== undefined) this.#pause(seen.text);
    this.#list.value = this.#list.value.filter((toast) => toast.id !== id);
  }

  /** Removes toasts whose time is over: browsers run no timers in a tab that is not shown for long. */
  readonly dismissOld = (): void => {
    const now = Date.now();
    for (const { text, shown, until } of this.#list.value)
      if (until <= now && until - shown >= LONGEST) this.#pause(text);
    if (this.#list.value.some(({ until }) => until <= now))
      this.#list.value = this.#list.value.filter(({ until }) => until > now);
    this.#schedule();
  };

  #pause(text: string): void {
    this.#paused.delete(text);
    this.#paused.set(text, Date.now() + PAUSE);
    if (this.#paused.size > MAX_PAUSED) this.#paused.delete([...this.#paused.keys()][0] ?? "");
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...this.#list.value.map(({ until }) => until));
    if (Number.isFinite(next)) this.#timer = setTimeout(this.dismissOld, Math.max(0, next - Date.now()));
  }
}
