import type { Unsubscribe } from "../../../common/emitter.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { cameraSceneOf, type Scene } from "../../../robot/wire/scene/scene-frame.ts";
import type { SceneFeed } from "../../robot-client/scene-feed.ts";
import type { FrameContent } from "../pictures/frame.ts";
import type { CameraSource } from "./camera-source.ts";

/** Scenes per simulated second while somebody looks. */
const SCENE_HZ = 30;
/** Milliseconds for the first scene; a robot process that is replaced sends none meanwhile. */
const FIRST_SCENE_MS = 30_000;

/** What the head of the simulated robot sees. */
export class SimulatedCameraSource implements CameraSource {
  readonly kind = "simulation";
  readonly #feed: SceneFeed;
  readonly #clock: Clock;
  #latest: Scene | null = null;
  #onFirst: (scene: Scene) => void = () => {};

  constructor(feed: SceneFeed, clock: Clock) {
    this.#feed = feed;
    this.#clock = clock;
  }

  start(): Unsubscribe {
    const stop = this.#feed.listen(SCENE_HZ, (scene) => {
      this.#latest = scene;
      this.#onFirst(scene);
    });
    return () => {
      stop();
      this.#latest = null;
    };
  }

  async take(): Promise<FrameContent> {
    return { kind: "scene", scene: cameraSceneOf(this.#latest ?? (await this.#first())) };
  }

  #first(): Promise<Scene> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(FIRST_SCENE_MS, () =>
        reject(new WorkbenchError("camera-unavailable", "The simulated robot is not running; try again when it is.")),
      );
      this.#onFirst = (scene) => {
        cancel();
        resolve(scene);
      };
    });
  }
}
