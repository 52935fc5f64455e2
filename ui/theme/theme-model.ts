import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

type Theme = "light" | "dark";
type ThemeChoice = Theme | "system";

/** The light or dark theme: the system's unless the user chose one. The choice is kept in `storage`. */
export class ThemeModel {
  readonly choice: Signal<ThemeChoice>;
  readonly theme: ReadonlySignal<Theme>;
  readonly #storage: Pick<Storage, "setItem">;

  constructor(storage: Pick<Storage, "getItem" | "setItem">, systemIsDark: MediaQueryList) {
    const stored = storage.getItem("theme");
    const dark = signal(systemIsDark.matches);
    systemIsDark.addEventListener("change", ({ matches }) => {
      dark.value = matches;
    });
    this.#storage = storage;
    this.choice = signal(stored === "light" || stored === "dark" ? stored : "system");
    this.theme = computed(() => (this.choice.value === "system" ? (dark.value ? "dark" : "light") : this.choice.value));
  }

  /** Switches to the other theme than the one shown. */
  toggle(): void {
    this.choice.value = this.theme.value === "dark" ? "light" : "dark";
    this.#storage.setItem("theme", this.choice.value);
  }
}
