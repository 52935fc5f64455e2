import type { Clock } from "../../../../common/time/clock.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import type { StateWatchers } from "./state-watchers.ts";

/** Every second state is sent: 25 of 50 per second are enough for a page and cost half the work. */
const DECIMATION = 2;

/** `/ws/state`: sends the `RobotState` as JSON, 25 times per second, for the dashboard. */
export class StateSocket {
  readonly endpoint: WebSocketEndpoint;
  readonly #unsubscribe: () => void;
  #count = 0;

  constructor(robot: Robot, watchers: StateWatchers, clock: Clock) {
    this.endpoint = new WebSocketEndpoint({
      clock,
      maxMessageBytes: 1024,
      onConnect: ({ queue, scope }) => {
        scope.add(watchers.add());
        queue.sendNewest("state", JSON.stringify(robot.state));
      },
    });
    this.#unsubscribe = robot.onState((state) => {
      this.#count += 1;
      if (this.#count % DECIMATION !== 0 || this.endpoint.clients.size === 0) return;
      const text = JSON.stringify(state);
      for (const { queue } of this.endpoint.clients) queue.sendNewest("state", text);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.endpoint.close();
  }
}
