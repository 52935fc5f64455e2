import type { AppRun } from "../../evidence/app-run.ts";
import { EXIT_LIMIT } from "../../test-runs/limits.ts";

/**
 * Seconds at which run() had returned: as the app's SDK closed its last connection, which the tap sees, or as the instrument
 * saw it, whichever was first: an app can write trace markers of its own, or connect again. Null when neither was seen, and
 * when run() raised.
 */
export function returnedAt({ runLeftAt, runRaised, disconnectedAt, exitedAt, forceStopped }: AppRun): number | null {
  if (runRaised !== null) return null;
  // The SDK closes the page first, which waits for its server, and the connection after it: that time is not the app's.
  if (!forceStopped && runLeftAt !== null && disconnectedAt !== null) {
    const closed = disconnectedAt - runLeftAt;
    if (closed >= 0 && closed <= EXIT_LIMIT) return disconnectedAt;
  }
  const [at] = [disconnectedAt, runLeftAt].filter((time) => time !== null).sort((one, other) => one - other);
  if (at === undefined) return null;
  // A process that is killed closes its connection, too.
  return forceStopped && exitedAt !== null && exitedAt - at < EXIT_LIMIT ? null : at;
}
