/** How the page reaches the daemon: not yet, in touch, or waiting to try again at a time (ms since the epoch). */
export type LinkStatus = { kind: "connecting" } | { kind: "open" } | { kind: "lost"; retryAt: number };

/** The parts of the browser that the link uses. */
export interface LinkParts {
  openSocket(): WebSocket;
  openEvents(): EventSource;
  now(): number;
}

export interface LinkListeners {
  status(status: LinkStatus): void;
  /** The connection stands; what was missed has to be asked for again. */
  opened(): void;
  state(text: string): void;
  event(name: string, text: string): void;
}

export const EVENT_NAMES = ["slot", "log", "job", "robot", "startup-app", "notice"] as const;

/** Milliseconds before the first, second, ... further attempt; the last one repeats. */
const PAUSES = [500, 1000, 2000, 4000];

/**
 * One connection made of two: the socket of robot states, whose life decides, and the stream of events beside it.
 * Tries again for ever, and at once when the network or the tab comes back.
 */
export class LiveLink {
  readonly #parts: LinkParts;
  readonly #listeners: LinkListeners;
  #socket: WebSocket | undefined;
  #events: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(parts: LinkParts, listeners: LinkListeners) {
    this.#parts = parts;
    this.#listeners = listeners;
  }

  /** Opens the connection, or tries again at once when it was waiting to. */
  open(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#retry);
    const socket = this.#parts.openSocket();
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#listeners.state(String(data));
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#lost();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#events?.close();
    if (this.#socket === undefined) return;
    this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = undefined;
  }

  #opened(): void {
    this.#failures = 0;
    const events = this.#parts.openEvents();
    this.#events = events;
    for (const name of EVENT_NAMES)
      events.addEventListener(name, (event: MessageEvent) => this.#listeners.event(name, String(event.data)));
    this.#listeners.status({ kind: "open" });
    this.#listeners.opened();
  }

  #lost(): void {
    this.#events?.close();
    this.#socket = undefined;
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)] ?? 0;
    this.#failures += 1;
    this.#listeners.status({ kind: "lost", retryAt: this.#parts.now() + pause });
    this.#retry = setTimeout(() => this.open(), pause);
  }
}
