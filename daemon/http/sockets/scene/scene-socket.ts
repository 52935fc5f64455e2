import type { Clock } from "../../../../common/time/clock.ts";
import { looksEqual, type ObjectsFrame, objectsFrameOf } from "../../../../robot/wire/scene/scene-frame.ts";
import type { Simulation } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";

/** Scenes per simulated second while a client is connected. */
const SCENE_HZ = 25;

/**
 * `/ws/scene`: sends the objects beside a simulated robot as `ObjectsFrame` in JSON, on connect and after each change.
 * The simulation produces scenes only while a client is connected.
 */
export class SceneSocket {
  readonly endpoint: WebSocketEndpoint;
  readonly #unsubscribe: () => void;
  readonly #simulation: Simulation;
  #last: ObjectsFrame | undefined;

  constructor(simulation: Simulation, clock: Clock) {
    this.#simulation = simulation;
    this.endpoint = new WebSocketEndpoint({
      clock,
      maxMessageBytes: 1024,
      onConnect: ({ queue, scope }) => {
        if (this.#last !== undefined) queue.sendNewest("scene", JSON.stringify(this.#last));
        this.#updateRate();
        scope.add(() => this.#updateRate());
      },
    });
    this.#unsubscribe = simulation.onScene((scene) => {
      const objects = objectsFrameOf(scene);
      if (this.#last !== undefined && looksEqual(objects, this.#last)) return;
      this.#last = objects;
      const text = JSON.stringify(objects);
      for (const { queue } of this.endpoint.clients) queue.sendNewest("scene", text);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.endpoint.close();
  }

  /** Without a client the last frame is forgotten: it would be old for the next client. */
  #updateRate(): void {
    const hasClients = this.endpoint.clients.size > 0;
    if (!hasClients) this.#last = undefined;
    // Fails while the robot process is gone: nothing moves then, and the page learns it from the robot's state.
    this.#simulation.watch(hasClients ? SCENE_HZ : 0).catch(() => {});
  }
}
