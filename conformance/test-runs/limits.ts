/**
 * Seconds from the start until the SDK must be connected, without those in which the app waited for a processor: large
 * libraries take 10 to 20 s to import.
 */
export const CONNECT_LIMIT = 30;
/** Seconds from the start after which an app that had fewer than those is not waited for any longer. */
export const LONGEST_START = 3 * CONNECT_LIMIT;
/** Seconds that an app has to end after SIGINT: the daemon's default. */
export const GRACE_PERIOD = 5;
/**
 * Seconds from the end of run() to the end of the process, without those that the SDK needs to close the page and the
 * connection: as many again at most.
 */
export const EXIT_LIMIT = 3;
/** Seconds without the daemon after which the SDK sets the stop event; it bridges a shorter outage (docs/sdk.md). */
export const BRIDGED_OUTAGE = 5;
/** Seconds from the loss of the daemon until the app must have ended or reconnected. */
export const LOSS_LIMIT = 10;
/** Seconds from the connection until GET / must answer; FastAPI is imported meanwhile. */
export const PAGE_LIMIT = 15;
/** Seconds until an app whose port is taken must have ended. */
export const CONFLICT_LIMIT = 10;
/** Radians by which gravity and the servos' resolution may keep a joint from its default. */
export const DEFAULT_POSE_TOLERANCE = 0.05;
