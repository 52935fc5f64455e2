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
export function sceneSocket(feed: SceneFeed, clock: Clock): WebSocketEndpoint {
  let stop: Unsubscribe | null = null;
  let last: ObjectsFrame | undefined;
  const endpoint = new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    onConnect: ({ queue, scope }) => {
      if (last !== undefined) queue.sendNewest("scene", JSON.stringify(last));
      update();
      scope.add(update);
    },
  });
  endpoint.scope.add(() => stop?.());

  const receive = (scene: Scene): void => {
    const objects = objectsFrameOf(scene);
    if (last !== undefined && looksEqual(objects, last)) return;
    last = objects;
    endpoint.sendNewest("scene", JSON.stringify(objects));
  };
  /** Without a client the last frame is forgotten: it would be old for the next client. */
  const update = (): void => {
    if (endpoint.clients.size > 0) {
      stop ??= feed.listen(SCENE_HZ, receive);
      return;
    }
    last = undefined;
    stop?.();
    stop = null;
  };
  return endpoint;
}
