import type { DaemonEventName } from "../../robot/wire/daemon-events.ts";

/** How the page reaches the daemon: not yet, connected, or waiting to retry at a time (ms since the epoch). */
export type ConnectionStatus = { kind: "connecting" } | { kind: "open" } | { kind: "lost"; retryAt: number };

/** The parts of the browser that the connection uses. */
interface ConnectionOptions {
  openSocket(): WebSocket;
  openEvents(): EventSource;
}

interface ConnectionListeners {
  status(status: ConnectionStatus): void;
  /** The connection is open; what was missed has to be requested again. */
  opened(): void;
  /** A robot state as JSON. */
  state(text: string): void;
  /** An event of `GET /api/events` as JSON. */
  event(name: string, text: string): void;
}

const EVENT_NAMES: readonly DaemonEventName[] = [
  "slot",
  "log",
  "job",
  "robot",
  "startup-app",
  "workshop",
  "certification",
  "simulated-time",
  "notice",
];

/** Milliseconds before the first, second, ... retry; the last one repeats. */
const RETRY_DELAYS = [500, 1000, 2000, 4000];

/**
 * The socket of robot states and the stream of events as one connection; the socket decides whether it is open. Retries
 * forever, and immediately when the network or the tab comes back.
 */
export class LiveConnection {
  readonly #options: ConnectionOptions;
  readonly #listeners: ConnectionListeners;
  #socket: WebSocket | undefined;
  #events: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: ConnectionOptions, listeners: ConnectionListeners) {
    this.#options = options;
    this.#listeners = listeners;
  }

  /** Opens the connection, or retries immediately when it is waiting to. */
  open(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#retry);
    const socket = this.#options.openSocket();
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#listeners.state(String(data));
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#lost();
  }

  #opened(): void {
    this.#failures = 0;
    const events = this.#options.openEvents();
    this.#events = events;
    for (const name of EVENT_NAMES)
      events.addEventListener(name, (event: MessageEvent) => this.#listeners.event(name, String(event.data)));
    let hasOpened = false;
    // The browser reopens a lost stream by itself; the events in between are missing then.
    events.addEventListener("open", () => {
      if (hasOpened) this.#listeners.opened();
      hasOpened = true;
    });
    this.#listeners.status({ kind: "open" });
    this.#listeners.opened();
  }

  #lost(): void {
    this.#events?.close();
    this.#socket = undefined;
    const delay = RETRY_DELAYS[Math.min(this.#failures, RETRY_DELAYS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#listeners.status({ kind: "lost", retryAt: Date.now() + delay });
    this.#retry = setTimeout(() => this.open(), delay);
  }
}
