import type { Response } from "express";
import { z } from "zod";
import type { Clock } from "../../../common/time/clock.ts";
import { limitRate } from "../../../common/time/limit-rate.ts";
import { HEAD_CAMERA_LENS } from "../../../robot/camera/lens.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { countIn } from "../../../robot/wire/quantities.ts";
import { type Camera, FRAME_RATE } from "../../camera/camera.ts";
import { WIDTHS } from "../../camera/pictures/frame.ts";
import { closeSignalOf } from "../connections/scope.ts";
import { type Route, routesOf } from "../rest/route.ts";
import { CAMERA_NAME } from "../sockets/sdk/daemon-status.ts";

const { get } = routesOf("robot");

const Resolution = z.object({
  name: z.string(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  crop_factor: z.number(),
});
const Specs = z.object({
  name: z.string(),
  available_resolutions: z.array(Resolution),
  default_resolution: Resolution,
  K: z.array(z.array(z.number()).length(3)).length(3).describe("The camera's matrix, pixels of the default resolution"),
  D: z.array(z.number()).describe("Its distortion: k1, k2, p1, p2, k3, k4, k5, k6, s1, s2, s3, s4"),
});
const Status = z.object({
  source: z.enum(["simulation", "file", "none"]).describe("Where the pictures come from"),
});
const Width = z
  .enum(WIDTHS.map(String) as [string, ...string[]])
  .default(String(WIDTHS[0]))
  .transform(Number)
  .describe("Pixels; the height is 9/16 of it");

const { width, height, fx, fy, cx, cy, distortion } = HEAD_CAMERA_LENS;
const RESOLUTION = { name: "R1280x720at30fps", width, height, fps: FRAME_RATE, crop_factor: 1 };
const MEDIA_TYPES = { jpeg: "image/jpeg", npy: "application/x-npy" } as const;
const BOUNDARY = "frame";
const STREAM_RATE = 15;

/** Routes of the robot's camera: what it is, one frame, and a stream of frames. */
export function cameraRoutes(camera: Camera, clock: Clock): Route[] {
  return [
    get("/api/camera/specs", {
      summary: "The camera's resolution, matrix and distortion, in the public daemon's fields",
      result: Specs,
      errors: ["not-here"],
      handle: () => {
        if (camera.kind === "none")
          throw new WorkbenchError("not-here", "This robot has no camera. Use look_at_world() instead.");
        return {
          name: CAMERA_NAME,
          available_resolutions: [RESOLUTION],
          default_resolution: RESOLUTION,
          K: [
            [fx, 0, cx],
            [0, fy, cy],
            [0, 0, 1],
          ],
          D: distortion,
        };
      },
    }),
    get("/api/camera/status", {
      summary: "Where the camera's pictures come from",
      result: Status,
      handle: () => ({ source: camera.kind }),
    }),
    get("/api/camera/frame", {
      summary: "What the camera sees now, as JPEG or as an array of NumPy (height, width, 3; blue, green, red)",
      query: z.object({ format: z.enum(["jpeg", "npy"]).default("jpeg"), width: Width }),
      produces: Object.values(MEDIA_TYPES),
      errors: ["camera-unavailable"],
      handle: async ({ query: { format: type, width: wanted }, response }) => {
        const frame = await camera.frame({ type, width: wanted });
        response.writeHead(200, {
          "content-type": MEDIA_TYPES[type],
          "content-length": frame.byteLength,
          "cache-control": "no-store",
        });
        response.end(frame);
      },
    }),
    get("/api/camera/stream", {
      summary: "What the camera sees, as a stream of JPEG frames that browsers show as a moving picture",
      query: z.object({ fps: countIn(1, FRAME_RATE).default(STREAM_RATE), width: Width }),
      produces: ["multipart/x-mixed-replace"],
      errors: ["camera-unavailable", "too-many-requests"],
      handle: async ({ query, request, response, admitStream }) => {
        admitStream();
        await stream(camera, clock, query, response, request.method === "HEAD");
      },
    }),
  ];
}

/** Sends frames at even times until the client disconnects. A client that reads slowly gets fewer. */
async function stream(
  camera: Camera,
  clock: Clock,
  { fps, width: wanted }: { fps: number; width: number },
  response: Response,
  isHead: boolean,
): Promise<void> {
  const closed = closeSignalOf(response);
  const waitForTurn = limitRate(1000 / fps, clock, closed);
  const nextFrame = async () => {
    await waitForTurn();
    return camera.frame({ type: "jpeg", width: wanted });
  };
  // An error is answered as such as long as nothing is sent.
  let frame = await nextFrame();
  response.writeHead(200, {
    "content-type": `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
    "cache-control": "no-store",
  });
  if (isHead) return void response.end();
  try {
    for (;;) {
      await write(response, frame, closed);
      frame = await nextFrame();
    }
  } catch {
    // The client is gone; or the camera has no picture any more, and the client learns the reason when it asks again.
    response.end();
  }
}

/** Resolves when the system has taken the frame, or the connection is closed. */
function write(response: Response, frame: Uint8Array, closed: AbortSignal): Promise<void> {
  const head = `--${BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: ${frame.byteLength}\r\n\r\n`;
  return new Promise((resolve) => {
    const done = (): void => {
      closed.removeEventListener("abort", done);
      resolve();
    };
    closed.addEventListener("abort", done);
    response.write(Buffer.concat([Buffer.from(head), frame, Buffer.from("\r\n")]), done);
  });
}
