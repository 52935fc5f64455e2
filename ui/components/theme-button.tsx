import type { ThemeModel } from "../theme/theme-model.ts";
import { IconButton } from "./buttons.tsx";

/** Switches between the light and the dark theme. */
export function ThemeButton({ theme }: { theme: ThemeModel }) {
  const dark = theme.theme.value === "dark";
  const label = dark ? "Light theme" : "Dark theme";
  return <IconButton icon={dark ? "sun" : "moon"} label={label} onClick={() => theme.toggle()} />;
}
