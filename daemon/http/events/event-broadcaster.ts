import type { Request, Response } from "express";
import type { Clock } from "../../../common/time/clock.ts";
import type { DaemonEventName, DaemonEvents } from "../../../robot/wire/daemon-events.ts";
import { formatSseEvent, openSse } from "./sse.ts";
import { SseFanOut } from "./sse-fan-out.ts";

/** Events that are kept, the newest, while there is no client. */
const BACKLOG = 10;

/** Notices and faults of the robot: the daemon reports what went wrong at its start before there is a client. */
const isKept = (name: DaemonEventName, data: object): boolean =>
  name === "notice" || (name === "robot" && "kind" in data && data.kind === "fault");

/** Sends events to all clients of `GET /api/events`. */
export class EventBroadcaster {
  readonly #clock: Clock;
  readonly #streams: SseFanOut;
  readonly #sources: (() => readonly string[])[] = [];
  /** Events, as text, that wait for the first client. */
  #backlog: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#streams = new SseFanOut(clock);
  }

  /** Sends one event to every client. */
  send<Name extends DaemonEventName>(name: Name, data: DaemonEvents[Name]): void {
    if (this.#streams.size === 0 && !isKept(name, data)) return;
    const text = formatSseEvent(name, data);
    if (this.#streams.size === 0) this.#backlog = [...this.#backlog, text].slice(-BACKLOG);
    this.#streams.send(text);
  }

  /** Sends these events to each client that connects from now on, before all others. */
  beginWith<Name extends DaemonEventName>(name: Name, events: () => readonly DaemonEvents[Name][]): void {
    this.#sources.push(() => events().map((data) => formatSseEvent(name, data)));
  }

  /** Opens a stream to a client until it disconnects. */
  open(request: Request, response: Response): void {
    const stream = openSse(request, response, this.#clock);
    if (stream === null) return;
    for (const texts of this.#sources) for (const text of texts()) stream.queue.send(text);
    for (const text of this.#backlog.splice(0)) stream.queue.send(text);
    this.#streams.add(stream);
  }

  /** Ends all streams, so that the server can close. */
  close(): void {
    this.#streams.close("the daemon is shutting down");
  }
}
