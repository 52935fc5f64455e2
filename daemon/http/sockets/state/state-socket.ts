import type { Clock } from "../../../../common/time/clock.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";

/** Every second state is sent: 25 of 50 per second are enough for a page and cost half the work. */
const DECIMATION = 2;

/** `/ws/state`: sends the `RobotState` as JSON, 25 times per second, for the dashboard. */
export function stateSocket(robot: Robot, watchers: StateWatchers, clock: Clock): WebSocketEndpoint {
  const endpoint = new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    onConnect: ({ queue, scope }) => {
      scope.add(watchers.add());
      queue.sendNewest("state", JSON.stringify(robot.state));
    },
  });
  let count = 0;
  const unsubscribe = robot.onState((state) => {
    count += 1;
    if (count % DECIMATION !== 0 || endpoint.clients.size === 0) return;
    endpoint.sendNewest("state", JSON.stringify(state));
  });
  endpoint.scope.add(unsubscribe);
  return endpoint;
}

/** Tells the robot whether anybody watches its state: the clients of the sockets that send it. */
export class StateWatchers {
  readonly #robot: Pick<Robot, "setWatched">;
  #count = 0;

  constructor(robot: Pick<Robot, "setWatched">) {
    this.#robot = robot;
    this.#report(false);
  }

  /** Counts a watcher until the returned function is called; further calls of it do nothing. */
  add(): () => void {
    this.#count += 1;
    if (this.#count === 1) this.#report(true);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#count -= 1;
      if (this.#count === 0) this.#report(false);
    };
  }

  /** A robot process that does not answer gets the last value again when it is replaced. */
  #report(isWatched: boolean): void {
    this.#robot.setWatched(isWatched).catch(() => undefined);
  }
}
