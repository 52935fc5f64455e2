import { createParser } from "eventsource-parser";
import WebSocket from "ws";
import type { RobotEvent, RobotState } from "../../daemon/control/robot.ts";
import { authorization, type DaemonUnderTest } from "./daemon-under-test.ts";

/** What a daemon tells while somebody listens: the robot's events and states. */
export interface Happenings {
  readonly events: readonly RobotEvent[];
  /** 25 a second. */
  readonly states: readonly RobotState[];
  /** What was told so far does not count any more. */
  forget(): void;
  close(): void;
}

/** Is told of everything at once. */
export interface Listener {
  /** `name` is slot, log, job, robot, startup-app or notice; `data` what the daemon's event stream says of it. */
  onEvent(name: string, data: unknown): void;
  onState(state: RobotState): void;
}

/** Listens to a daemon's `/api/events` and `/ws/state`; resolves when both are open. */
export async function listenTo(
  { url, token }: Pick<DaemonUnderTest, "url" | "token">,
  listener?: Listener,
): Promise<Happenings> {
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
  const [response] = await Promise.all([fetch(`${url}/api/events`, { headers, signal: end.signal }), opened]);
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      const told = JSON.parse(data);
      if (event === "robot") events.push(told);
      listener?.onEvent(event, told);
    },
  });
  void readAll(response, (text) => parser.feed(text));
  return {
    events,
    states,
    forget: () => {
      events.length = 0;
      states.length = 0;
    },
    close: () => {
      end.abort();
      socket.terminate();
    },
  };
}

async function readAll(response: Response, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) take(decoder.decode(chunk, { stream: true }));
  } catch {
    // The daemon, or the scenario, has ended.
  }
}
