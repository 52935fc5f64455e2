import { readFile } from "node:fs/promises";
import type { CameraScene } from "../../../robot/wire/scene/scene-frame.ts";
import { decodePicture, encodeNpy, fitPicture } from "./codecs.ts";
import { encodeJpeg } from "./jpeg/encode-jpeg.ts";
import type { FrameContent, FrameFormat, Picture } from "./picture.ts";

/** Draws a scene; made once for each width. */
export type Drawing = (scene: CameraScene) => Picture;

/** Height of a picture per width. */
const PROPORTION = 9 / 16;

/** Makes frames in this thread. It remembers the file that it read last, since a still picture is shown again and again. */
export class FrameFactory {
  readonly #createDrawing: (width: number) => Drawing;
  readonly #drawings = new Map<number, Drawing>();
  #file: { path: string; picture: Picture } | null = null;

  constructor(createDrawing: (width: number) => Drawing) {
    this.#createDrawing = createDrawing;
  }

  /** @throws Error when a file cannot be read or data cannot be decoded */
  async make(content: FrameContent, formats: readonly FrameFormat[]): Promise<Uint8Array[]> {
    const frames: Uint8Array[] = new Array(formats.length);
    for (const width of new Set(formats.map((format) => format.width))) {
      const picture = await this.#picture(content, width);
      formats.forEach(({ type, width: wanted }, i) => {
        if (wanted === width) frames[i] = type === "jpeg" ? encodeJpeg(picture) : encodeNpy(picture);
      });
    }
    return frames;
  }

  async #picture(content: FrameContent, width: number): Promise<Picture> {
    if (content.kind === "scene") return this.#draw(content.scene, width);
    const picture = content.kind === "file" ? await this.#read(content.path) : decodePicture(content.bytes);
    return fitPicture(picture, width, width * PROPORTION);
  }

  #draw(scene: CameraScene, width: number): Picture {
    const drawing = this.#drawings.get(width) ?? this.#createDrawing(width);
    this.#drawings.set(width, drawing);
    return drawing(scene);
  }

  async #read(path: string): Promise<Picture> {
    if (this.#file?.path !== path) this.#file = { path, picture: decodePicture(await readFile(path)) };
    return this.#file.picture;
  }
}
