import { type Clock, sleep } from "../../../common/time/clock.ts";
import type { DaemonClient, EventStream } from "../../../robot/rest/daemon-client.ts";

const EVENTS = "/api/events";
const RECONNECT_MS = 1000;
/** Attempts until the daemon counts as ended: one that restarts loads its packages and looks for its robot. */
const ATTEMPTS = 15;

interface FollowEventsOptions {
  client: Pick<DaemonClient, "url" | "openEvents">;
  onEvent(name: string, data: unknown): void;
  /** Called with each stream after the first. */
  onReconnected?(): Promise<unknown>;
  clock: Clock;
  /** Ends the subscription. */
  signal: AbortSignal;
  say(line: string): void;
}

/** A subscription to a daemon's events. */
interface Subscription {
  /** Rejects with the last attempt's error when the daemon cannot be reached again, or with the signal's reason. */
  lost: Promise<never>;
}

/**
 * Subscribes to a daemon's events until the signal aborts. Reconnects when the stream ends: a daemon restarts, or
 * disconnects a client that reads too slowly. Resolves when the first stream is open.
 * @throws WorkbenchError `daemon-unreachable`, or the code that the daemon answers; the signal's reason
 */
export async function followEvents(options: FollowEventsOptions): Promise<Subscription> {
  const first = await options.client.openEvents(EVENTS, options.onEvent, options.signal);
  const lost = keepConnected(first, options);
  lost.catch(() => undefined); // whoever waits for it handles it
  return { lost };
}

async function keepConnected(first: EventStream, options: FollowEventsOptions): Promise<never> {
  const { client, signal, say } = options;
  let stream = first;
  while (true) {
    await stream.ended.catch(() => {});
    signal.throwIfAborted();
    say(`✗ the daemon at ${client.url} closed the connection: reconnecting`);
    stream = await reconnect(options);
    await options.onReconnected?.();
    say("✓ connected to the daemon again; r starts the app when it does not run");
  }
}

async function reconnect({ client, onEvent, clock, signal }: FollowEventsOptions): Promise<EventStream> {
  for (let left = ATTEMPTS; ; left -= 1) {
    await sleep(clock, RECONNECT_MS, signal);
    signal.throwIfAborted();
    try {
      return await client.openEvents(EVENTS, onEvent, signal);
    } catch (error) {
      if (signal.aborted || left <= 1) throw error;
    }
  }
}
