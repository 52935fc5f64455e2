/** A thread that draws, decodes and encodes the camera's pictures, so that the main process stays free for requests. */
import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { LocalFrameMaker } from "../../daemon/camera/pictures/local-frame-maker.ts";
import type { FrameReply, FrameRequest } from "../../daemon/camera/worker/worker-frame-maker.ts";
import { createRenderer } from "../../sim/camera/renderer.ts";

/** Linux counts the priority of each thread: pictures give way to the control loop, which needs little but in time. */
const NICE = 10;
if (platform() === "linux") setPriority(NICE);

const maker = new LocalFrameMaker(createRenderer);
const reply = (message: FrameReply, memory: ArrayBufferLike[] = []) =>
  parentPort?.postMessage(message, memory as ArrayBuffer[]);

parentPort?.on("message", ({ id, content, formats }: FrameRequest) => {
  maker.make(content, formats).then(
    // Copied out of Node's shared pool of small buffers, so that their memory can be handed over.
    (made) => {
      const own = made.map((bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)));
      reply(
        { id, frames: own },
        own.map(({ buffer }) => buffer),
      );
    },
    (error: unknown) => reply({ id, error: (error as Error).message }),
  );
});
