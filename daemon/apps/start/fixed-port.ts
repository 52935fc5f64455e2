import { DEFAULT_DIALECT, dialectById } from "../../../robot/dialects/dialects.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";

/**
 * A sentence for the log of an app whose SDK looks for the daemon at one port only, where this daemon is not; null for any
 * other app.
 * @param url the daemon's address, as its apps are given it
 */
export function wrongPortNote({ info }: Pick<InstalledApp, "info">, url: string | undefined): string | null {
  const { fixedPort, sdk } = dialectById(info.extra.dialect) ?? DEFAULT_DIALECT;
  if (fixedPort === null || url === undefined || !URL.canParse(url) || Number(new URL(url).port) === fixedPort)
    return null;
  const next = `Start robot-daemon with --port ${fixedPort}.`;
  return `${sdk.distribution} looks for the daemon at port ${fixedPort} only, and this daemon is at ${url}: the app will not find it. ${next}`;
}
