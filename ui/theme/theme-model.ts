import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";

type Theme = "light" | "dark";

/** The light or dark theme: the system's unless the user chose one. The choice is kept in `storage`. */
export class ThemeModel {
  readonly theme: ReadonlySignal<Theme>;
  readonly #choice: Signal<Theme | "system">;
  readonly #storage: Pick<Storage, "setItem">;

  constructor(storage: Pick<Storage, "getItem" | "setItem">, systemIsDark: MediaQueryList) {
    const stored = storage.getItem("theme");
    const dark = signal(systemIsDark.matches);
    systemIsDark.addEventListener("change", ({ matches }) => {
      dark.value = matches;
    });
    const choice = signal<Theme | "system">(stored === "light" || stored === "dark" ? stored : "system");
    this.#storage = storage;
    this.#choice = choice;
    this.theme = computed(() => (choice.value === "system" ? (dark.value ? "dark" : "light") : choice.value));
  }

  toggle(): void {
    this.#choice.value = this.theme.value === "dark" ? "light" : "dark";
    this.#storage.setItem("theme", this.#choice.value);
  }
}

/** A page in a frame may have no storage; the choice then lasts as long as the page. */
function storage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

/** Gives the page its theme and keeps it up to date. */
export function applyTheme(): ThemeModel {
  const theme = new ThemeModel(storage(), matchMedia("(prefers-color-scheme: dark)"));
  effect(() => {
    document.documentElement.dataset.theme = theme.theme.value;
  });
  return theme;
}
