import { readFile } from "node:fs/promises";
import type { Clock } from "../../common/time/clock.ts";
import type { Picture } from "../../robot/camera/picture.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type CameraScene, cameraSceneOf, type Scene } from "../../robot/wire/scene/scene-frame.ts";
import { Camera } from "../camera/camera.ts";
import { decodePicture, fitPicture } from "../camera/pictures/codecs.ts";
import { LocalFrameMaker } from "../camera/pictures/local-frame-maker.ts";

interface TestCameraParts {
  clock: Clock;
  /** What the camera could see now. */
  scene(): Scene;
  /** Draws scenes in one width. */
  createRenderer(width: number): (scene: CameraScene) => Picture;
}

/** The camera of a robot in virtual time: that of the daemon, without a thread, so that a picture takes no virtual time. */
export class TestCamera {
  readonly camera: Camera;
  readonly #maker: LocalFrameMaker;
  #picture: Picture | null = null;
  #isPrepared = false;

  constructor({ clock, scene, createRenderer }: TestCameraParts) {
    this.#maker = new LocalFrameMaker((width) => {
      const draw = createRenderer(width);
      return (seen) => (this.#picture === null ? draw(seen) : fitPicture(this.#picture, width, (width * 9) / 16));
    });
    const source = {
      kind: "simulation",
      start: () => () => undefined,
      take: async () => ({ kind: "scene", scene: cameraSceneOf(scene()) }) as const,
    } as const;
    // The camera cannot stop the maker: preparing it again would take real time.
    const maker = { make: this.#maker.make.bind(this.#maker), stop: () => undefined };
    this.camera = new Camera(source, maker, clock);
  }

  /** Call before a request, while the clock stands still: the encoder of JPEG takes real time to start. */
  async prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await this.#maker.make({ kind: "scene", scene: { head: [], objects: [] } }, [{ type: "jpeg", width: 320 }]);
    this.#isPrepared = true;
  }

  /** Shows the picture of a JPEG or PNG file instead of the scene, or with null the scene. @throws WorkbenchError `bad-request` */
  async show(file: string | null): Promise<void> {
    this.#picture = file === null ? null : await readPicture(file);
  }
}

async function readPicture(file: string): Promise<Picture> {
  try {
    return decodePicture(await readFile(file));
  } catch (error) {
    throw new WorkbenchError(
      "bad-request",
      `${file} is not a JPEG or PNG file that can be read (${(error as Error).message}).`,
    );
  }
}
