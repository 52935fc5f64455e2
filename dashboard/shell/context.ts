import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { ThemeModel } from "../../ui/theme/theme-model.ts";
import type { AudioModel } from "../audio/audio-model.ts";
import type { Client } from "../connection/client.ts";
import type { Dashboard } from "../dashboard.ts";
import type { StreamLines } from "../workshop/stream-lines.ts";
import type { WorkshopModel } from "../workshop/workshop-model.ts";

interface Page {
  dashboard: Dashboard;
  audio: AudioModel;
  theme: ThemeModel;
  workshop: WorkshopModel;
  /** Sends the secret of the workshop. */
  workshopClient: Client;
  workshopStream: StreamLines;
  /** Tries immediately to reach the daemon again. */
  reconnect(): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("usePage needs a PageContext.Provider around the component.");
  return page;
}

/** The time in milliseconds; the component renders again at this interval (ms) while `ticking`. */
export function useNow(ticking: boolean, interval = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [ticking, interval]);
  return now;
}
