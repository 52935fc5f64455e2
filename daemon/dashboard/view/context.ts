import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Dashboard } from "../model/dashboard.ts";
import type { SoundModel } from "../model/sound.ts";
import type { ThemeModel } from "../model/theme.ts";

export interface Page {
  dashboard: Dashboard;
  sound: SoundModel;
  theme: ThemeModel;
  /** Tries at once to reach the daemon again. */
  reconnect(): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("A view was drawn outside the page.");
  return page;
}

/** The time in milliseconds, drawn anew every second (or so many milliseconds) while `ticking`. */
export function useNow(ticking: boolean, every = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [ticking, every]);
  return now;
}

export const prefersCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
