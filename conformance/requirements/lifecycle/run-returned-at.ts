import type { AppRun } from "../../evidence/app-run.ts";
import { EXIT_LIMIT } from "../../test-runs/limits.ts";

/**
 * Seconds at which run() had returned, and the SDK had closed what it has opened: when the app's last connection was closed,
 * as the tap sees it, if that is the only one and was closed soon after run() had returned; otherwise that, or when the
 * instrument saw that run() returned, whichever was first: an app can write trace markers of its own, or connect again. Null
 * when neither was seen, and when run() raised.
 */
export function runReturnedAt(run: AppRun): number | null {
  const { runLeftAt, runRaised, disconnectedAt, exitedAt, forceStopped } = run;
  if (runRaised !== null) return null;
  const isOnly = Object.keys(run.connectionEnds).length === 1;
  if (!forceStopped && isOnly && runLeftAt !== null && disconnectedAt !== null) {
    const closed = disconnectedAt - runLeftAt;
    // The SDK waits for the server of the page before it closes the connection.
    if (closed >= 0 && closed <= EXIT_LIMIT) return disconnectedAt;
  }
  const [at] = [disconnectedAt, runLeftAt].filter((time) => time !== null).sort((one, other) => one - other);
  if (at === undefined) return null;
  // A process that is killed closes its connection, too.
  return forceStopped && exitedAt !== null && exitedAt - at < EXIT_LIMIT ? null : at;
}
