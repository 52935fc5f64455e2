import type { ThemeModel } from "../theme/theme-model.ts";
import { Icon } from "./icons.tsx";

/** Switches between the light and the dark theme. */
export function ThemeButton({ theme }: { theme: ThemeModel }) {
  const dark = theme.theme.value === "dark";
  const label = dark ? "Light theme" : "Dark theme";
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={() => theme.toggle()}>
      <Icon name={dark ? "sun" : "moon"} />
    </button>
  );
}
