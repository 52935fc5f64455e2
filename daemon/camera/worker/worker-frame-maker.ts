import { Worker } from "node:worker_threads";
import type { Clock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { cameraUnavailable, type FrameContent, type FrameFormat, type FrameMaker } from "../pictures/frame.ts";

/** To the worker. */
export interface FrameRequest {
  readonly id: number;
  readonly content: FrameContent;
  readonly formats: readonly FrameFormat[];
}

/** From the worker. An error is the text of a `camera-unavailable`. */
export type FrameReply =
  | { readonly id: number; readonly frames: Uint8Array[] }
  | { readonly id: number; readonly error: string };

interface Pending {
  resolve(frames: Uint8Array[]): void;
  reject(error: Error): void;
  cancelDeadline(): void;
}

/** Milliseconds for one frame on a busy machine, with the start of the thread. */
const DEADLINE_MS = 60_000;
/** Megabytes: a picture of 50 megapixels has 200. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Makes frames in a thread, which starts with the first frame and ends at `stop`. */
export class WorkerFrameMaker implements FrameMaker {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param url the compiled `programs/camera-thread/main.js` */
  constructor(url: URL, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
  }

  make(content: FrameContent, formats: readonly FrameFormat[]): Promise<Uint8Array[]> {
    this.#lastId += 1;
    const request: FrameRequest = { id: this.#lastId, content, formats };
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start();
      this.#worker = worker;
      const cancelDeadline = this.#clock.after(DEADLINE_MS, () => {
        this.#fail(`no picture within ${DEADLINE_MS / 1000} s`);
        this.stop();
      });
      this.#pending.set(request.id, { resolve, reject, cancelDeadline });
      worker.postMessage(request);
    });
  }

  stop(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#fail("the camera was closed");
    worker?.terminate().catch(() => {});
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { resourceLimits: RESOURCE_LIMITS, name: "camera" });
    // The daemon ends although a picture is being drawn.
    worker.unref();
    worker.on("message", (reply: FrameReply) => this.#receive(reply));
    worker.on("error", (error) => {
      // Frames of a thread that was stopped have failed already.
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#fail((error as Error).message);
    });
    return worker;
  }

  #receive(reply: FrameReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    pending.cancelDeadline();
    if ("frames" in reply) pending.resolve(reply.frames);
    else pending.reject(new WorkbenchError("camera-unavailable", reply.error));
  }

  #fail(reason: string): void {
    for (const { reject, cancelDeadline } of this.#pending.values()) {
      cancelDeadline();
      reject(cameraUnavailable(reason));
    }
    this.#pending.clear();
  }
}
