import { readFile, stat } from "node:fs/promises";
import type { Picture } from "../../../robot/camera/picture.ts";
import type { CameraScene } from "../../../robot/wire/scene/scene-frame.ts";
import { decodePicture, encodeNpy, fitPicture } from "./codecs.ts";
import { createJpegEncoder } from "./encode-jpeg.ts";
import { cameraUnavailable, type FrameContent, type FrameFormat, type FrameMaker } from "./frame.ts";

/** Draws scenes in one width. Each picture is valid until the next one is drawn. */
type Renderer = (scene: CameraScene) => Picture;

type Encode = (picture: Picture) => Uint8Array;

const HEIGHT_PER_WIDTH = 9 / 16;

/** Makes frames in this thread. Caches the last file until that changes, because a still picture is asked for many times. */
export class LocalFrameMaker implements FrameMaker {
  readonly #createRenderer: (width: number) => Renderer;
  readonly #renderers = new Map<number, Renderer>();
  #encodeJpeg: Promise<Encode> | null = null;
  #file: { version: string; picture: Picture } | null = null;

  constructor(createRenderer: (width: number) => Renderer) {
    this.#createRenderer = createRenderer;
  }

  async make(content: FrameContent, formats: readonly FrameFormat[]): Promise<Uint8Array[]> {
    try {
      return await this.#make(content, formats);
    } catch (error) {
      throw cameraUnavailable((error as Error).message);
    }
  }

  stop(): void {
    this.#renderers.clear();
    this.#encodeJpeg = null;
    this.#file = null;
  }

  async #make(content: FrameContent, formats: readonly FrameFormat[]): Promise<Uint8Array[]> {
    const encoders = await Promise.all(formats.map(({ type }) => this.#encoder(type)));
    const pictures = new Map<number, Picture>();
    for (const { width } of formats) if (!pictures.has(width)) pictures.set(width, await this.#picture(content, width));
    return formats.map(({ width }, i) => (encoders[i] as Encode)(pictures.get(width) as Picture));
  }

  async #encoder(type: FrameFormat["type"]): Promise<Encode> {
    if (type === "npy") return encodeNpy;
    this.#encodeJpeg ??= createJpegEncoder().catch((error: unknown) => {
      // The next picture tries again.
      this.#encodeJpeg = null;
      throw error;
    });
    return this.#encodeJpeg;
  }

  async #picture(content: FrameContent, width: number): Promise<Picture> {
    if (content.kind === "scene") return this.#draw(content.scene, width);
    return fitPicture(await this.#read(content.path), width, width * HEIGHT_PER_WIDTH);
  }

  #draw(scene: CameraScene, width: number): Picture {
    const renderer = this.#renderers.get(width) ?? this.#createRenderer(width);
    this.#renderers.set(width, renderer);
    return renderer(scene);
  }

  async #read(path: string): Promise<Picture> {
    const { mtimeMs, size } = await stat(path);
    const version = `${path} ${mtimeMs} ${size}`;
    if (this.#file?.version !== version) this.#file = { version, picture: decode(await readFile(path), path) };
    return this.#file.picture;
  }
}

/** @throws Error with the path, the reason and the next step when the bytes are no complete picture */
function decode(bytes: Uint8Array, path: string): Picture {
  try {
    return decodePicture(bytes);
  } catch (error) {
    throw new Error(
      `${path} is not a complete JPEG or PNG file (${(error as Error).message}); check the program that writes it`,
    );
  }
}
