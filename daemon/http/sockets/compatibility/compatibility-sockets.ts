import type { Clock } from "../../../../common/time/clock.ts";
import type { AppHost } from "../../../apps/app-host.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import type { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { fullStateSocket } from "./full-state-socket.ts";
import { jobSocket } from "./job-socket.ts";
import { moveUpdatesSocket, setTargetSocket } from "./move-sockets.ts";

/** The sockets of the public daemon that ours has under the same addresses; `:id` stands for the last part of a path. */
export class CompatibilitySockets {
  readonly endpoints: ReadonlyMap<string, WebSocketEndpoint>;
  readonly #stopUpdates: () => void;

  constructor(robot: Robot, apps: AppHost, clock: Clock) {
    const updates = moveUpdatesSocket(robot, clock);
    this.#stopUpdates = updates.close;
    this.endpoints = new Map([
      ["/api/state/ws/full", fullStateSocket(robot, clock)],
      ["/api/move/ws/updates", updates.endpoint],
      ["/api/move/ws/set_target", setTargetSocket(robot, clock)],
      ["/api/apps/ws/apps-manager/:id", jobSocket(apps, clock)],
    ]);
  }

  close(): void {
    this.#stopUpdates();
    for (const endpoint of this.endpoints.values()) endpoint.close();
  }
}
