import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

export type Theme = "light" | "dark";
export type ThemeChoice = Theme | "system";

/** Light or dark: as the system says unless somebody chose. The choice is kept by `store`. */
export class ThemeModel {
  readonly choice: Signal<ThemeChoice>;
  readonly theme: ReadonlySignal<Theme>;
  readonly #store: Pick<Storage, "setItem">;

  constructor(store: Pick<Storage, "getItem" | "setItem">, system: MediaQueryList) {
    const kept = store.getItem("theme");
    const dark = signal(system.matches);
    system.addEventListener("change", ({ matches }) => {
      dark.value = matches;
    });
    this.#store = store;
    this.choice = signal(kept === "light" || kept === "dark" ? kept : "system");
    this.theme = computed(() => (this.choice.value === "system" ? (dark.value ? "dark" : "light") : this.choice.value));
  }

  /** To the other theme than the one shown. */
  toggle(): void {
    this.choice.value = this.theme.value === "dark" ? "light" : "dark";
    this.#store.setItem("theme", this.choice.value);
  }
}
