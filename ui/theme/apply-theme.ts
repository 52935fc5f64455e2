import { effect } from "@preact/signals";
import { ThemeModel } from "./theme-model.ts";

/** A page in a frame may have no storage; the choice then lasts as long as the page. */
function storage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

/** Gives the page its theme and keeps it up to date; printed pages are light. */
export function applyTheme(): ThemeModel {
  const theme = new ThemeModel(storage(), matchMedia("(prefers-color-scheme: dark)"));
  const apply = (name: string) => {
    document.documentElement.dataset.theme = name;
  };
  effect(() => apply(theme.theme.value));
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(theme.theme.peek()));
  return theme;
}
