import type { Unsubscribe } from "../../../../common/emitter.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { looksEqual, type ObjectsFrame, objectsFrameOf, type Scene } from "../../../../robot/wire/scene/scene-frame.ts";
import type { SceneFeed } from "../../../robot-client/scene-feed.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";

/** Scenes per simulated second while a client is connected. */
const SCENE_HZ = 25;

/**
 * `/ws/scene`: sends the objects beside a simulated robot as `ObjectsFrame` in JSON, on connect and after each change.
 * The simulation produces scenes only while a client is connected.
 */
export class SceneSocket {
  readonly endpoint: WebSocketEndpoint;
  readonly #feed: SceneFeed;
  #stop: Unsubscribe | null = null;
  #last: ObjectsFrame | undefined;

  constructor(feed: SceneFeed, clock: Clock) {
    this.#feed = feed;
    this.endpoint = new WebSocketEndpoint({
      clock,
      maxMessageBytes: 1024,
      onConnect: ({ queue, scope }) => {
        if (this.#last !== undefined) queue.sendNewest("scene", JSON.stringify(this.#last));
        this.#update();
        scope.add(() => this.#update());
      },
    });
  }

  close(): void {
    this.#stop?.();
    this.endpoint.close();
  }

  #receive(scene: Scene): void {
    const objects = objectsFrameOf(scene);
    if (this.#last !== undefined && looksEqual(objects, this.#last)) return;
    this.#last = objects;
    const text = JSON.stringify(objects);
    for (const { queue } of this.endpoint.clients) queue.sendNewest("scene", text);
  }

  /** Without a client the last frame is forgotten: it would be old for the next client. */
  #update(): void {
    if (this.endpoint.clients.size > 0) {
      this.#stop ??= this.#feed.listen(SCENE_HZ, (scene) => this.#receive(scene));
      return;
    }
    this.#last = undefined;
    this.#stop?.();
    this.#stop = null;
  }
}
