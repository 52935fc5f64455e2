import type { Unsubscribe } from "../../common/emitter.ts";
import type { Clock } from "../../common/time/clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { FrameFormat, FrameMaker } from "./pictures/frame.ts";
import type { CameraSource } from "./sources/camera-source.ts";

/** Frames a second, for all clients together. */
export const FRAME_RATE = 30;
const FRAME_MS = 1000 / FRAME_RATE;
/** Milliseconds without a request after which nothing of the camera is kept. */
const IDLE_MS = 5000;

interface Waiting {
  readonly format: FrameFormat;
  resolve(frame: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * The robot's camera. Frames are made when somebody asks for one, at most 30 a second; all who ask at the same time get
 * the same one. While nobody asks, it does nothing.
 */
export class Camera {
  readonly #source: CameraSource;
  readonly #maker: FrameMaker;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #isClosed = false;
  #nextAt = 0;
  #stopSource: Unsubscribe | null = null;
  #cancelTimer: Unsubscribe = () => {};

  constructor(source: CameraSource, maker: FrameMaker, clock: Clock) {
    this.#source = source;
    this.#maker = maker;
    this.#clock = clock;
  }

  /** Where its pictures come from. */
  get kind(): CameraSource["kind"] {
    return this.#source.kind;
  }

  /**
   * The next frame: at most 1/30 s from now while frames are made in time.
   * @throws WorkbenchError `camera-unavailable` when there is no picture, with what to do
   */
  frame(format: FrameFormat): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkbenchError("shutting-down", "The daemon is shutting down."));
      this.#waiting.push({ format, resolve, reject });
      this.#schedule();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    for (const { reject } of this.#waiting.splice(0))
      reject(new WorkbenchError("shutting-down", "The daemon is shutting down."));
  }

  #schedule(): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#cancelTimer();
    if (this.#waiting.length === 0) {
      this.#cancelTimer = this.#clock.after(IDLE_MS, () => this.#stop());
      return;
    }
    this.#isBusy = true;
    this.#cancelTimer = this.#clock.after(Math.max(0, this.#nextAt - this.#clock.now()), () => void this.#makeFrames());
  }

  async #makeFrames(): Promise<void> {
    this.#nextAt = this.#clock.now() + FRAME_MS;
    let served: Waiting[] = [];
    try {
      this.#stopSource ??= this.#source.start();
      const content = await this.#source.take();
      if (this.#isClosed) return;
      served = this.#waiting.splice(0);
      const formats = new Map(served.map(({ format }) => [`${format.type} ${format.width}`, format]));
      const frames = await this.#maker.make(content, [...formats.values()]);
      const keys = [...formats.keys()];
      for (const { format, resolve } of served)
        resolve(frames[keys.indexOf(`${format.type} ${format.width}`)] as Uint8Array);
    } catch (error) {
      for (const { reject } of [...served, ...this.#waiting.splice(0)]) reject(error);
    }
    this.#isBusy = false;
    this.#schedule();
  }

  #stop(): void {
    this.#cancelTimer();
    this.#stopSource?.();
    this.#stopSource = null;
    this.#maker.stop();
  }
}
