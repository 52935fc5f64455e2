import { type ReadonlySignal, signal } from "@preact/signals";

type ToastLevel = "info" | "warning" | "error";
interface Toast {
  id: number;
  level: ToastLevel;
  text: string;
  /** How often this text was shown while the toast was visible. */
  count: number;
}

/** Milliseconds that a toast stays visible. */
const DURATION = { info: 4000, warning: 8000, error: 12_000 };
const CAPACITY = 4;

/** Short messages that disappear; a repeated text only raises its count. */
export class Toasts {
  readonly #list = signal<readonly Toast[]>([]);
  readonly list: ReadonlySignal<readonly Toast[]> = this.#list;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #nextId = 1;

  show(level: ToastLevel, text: string): void {
    const same = this.#list.value.find((toast) => toast.level === level && toast.text === text);
    const toast = same ? { ...same, count: same.count + 1 } : { id: this.#nextId++, level, text, count: 1 };
    const others = this.#list.value.filter(({ id }) => id !== toast.id);
    for (const { id } of others.slice(0, Math.max(0, others.length + 1 - CAPACITY))) this.dismiss(id);
    this.#list.value = [...this.#list.value.filter(({ id }) => id !== toast.id), toast];
    clearTimeout(this.#timers.get(toast.id));
    const timer = setTimeout(() => this.dismiss(toast.id), DURATION[level]);
    this.#timers.set(toast.id, timer);
  }

  readonly report = (error: unknown): void =>
    this.show("error", error instanceof Error ? error.message : String(error));

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#list.value = this.#list.value.filter((toast) => toast.id !== id);
  }
}
