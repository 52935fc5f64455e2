import WebSocket from "ws";
import { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { authorization, type DaemonHandle } from "../daemon/daemon-handle.ts";

/** A subscription to a daemon's events and robot states. */
export interface EventStream {
  readonly events: readonly RobotEvent[];
  /** 25 a second. */
  readonly states: readonly RobotState[];
  /** Empties both lists. */
  clear(): void;
  close(): void;
}

/** Is called for every event and state as it arrives. */
export interface EventStreamListener {
  /** `name` is slot, log, job, robot, startup-app or notice; `data` is the event's JSON. */
  onEvent(name: string, data: unknown): void;
  onState(state: RobotState): void;
}

/** Subscribes to a daemon's `/api/events` and `/ws/state`; resolves when both are open. */
export async function openEventStream(
  { url, token }: Pick<DaemonHandle, "url" | "token">,
  listener?: EventStreamListener,
): Promise<EventStream> {
  const headers = authorization(token);
  const events: RobotEvent[] = [];
  const states: RobotState[] = [];
  const end = new AbortController();
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/state`, { headers });
  socket.on("message", (text) => {
    const state = JSON.parse(String(text)) as RobotState;
    states.push(state);
    listener?.onState(state);
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.on("error", reject);
  });
  const client = new DaemonClient({ url, token: token ?? "", signal: end.signal });
  const onEvent = (name: string, data: unknown): void => {
    if (name === "robot") events.push(data as RobotEvent);
    listener?.onEvent(name, data);
  };
  await Promise.all([client.openEvents("/api/events", onEvent), opened]);
  return {
    events,
    states,
    clear: () => {
      events.length = 0;
      states.length = 0;
    },
    close: () => {
      end.abort();
      socket.terminate();
    },
  };
}
