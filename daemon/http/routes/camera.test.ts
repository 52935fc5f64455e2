import { writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { HEAD_CAMERA_LENS } from "../../../robot/camera/lens.ts";
import { decodePicture } from "../../camera/pictures/codecs.ts";
import { startTestDaemon, type TestDaemon } from "../testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());

const bytesOf = async (path: string) => {
  const answer = await fetch(`${daemon.url}${path}`);
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
};

describe("the camera of the simulated robot", () => {
  test("is described as that of the real one", async () => {
    expect(await daemon.json("/api/camera/specs")).toMatchObject({
      name: "wireless",
      default_resolution: { width: 1280, height: 720, fps: 30 },
      K: [
        [HEAD_CAMERA_LENS.fx, 0, HEAD_CAMERA_LENS.cx],
        [0, HEAD_CAMERA_LENS.fy, HEAD_CAMERA_LENS.cy],
        [0, 0, 1],
      ],
      D: HEAD_CAMERA_LENS.distortion,
    });
    expect(await daemon.json("/api/camera/status")).toEqual({ source: "simulation" });
    expect(await daemon.json("/api/daemon/status")).toMatchObject({ camera_specs_name: "wireless" });
  });

  test("gives a frame as JPEG, in three sizes", async () => {
    for (const width of [1280, 640, 320]) {
      const { status, type, bytes } = await bytesOf(`/api/camera/frame?width=${width}`);
      expect([status, type]).toEqual([200, "image/jpeg"]);
      expect(decodePicture(bytes)).toMatchObject({ width, height: (width * 9) / 16 });
    }
    expect((await bytesOf("/api/camera/frame?width=700")).status).toBe(422);
  });

  test("shows an object where it was put", async () => {
    const before = await bytesOf("/api/camera/frame?format=npy&width=320");
    expect([before.type, before.bytes.length % (320 * 180 * 3)]).toEqual(["application/x-npy", 128]);
    const body = JSON.stringify({
      name: "ball 1",
      shape: { kind: "ball", radius: 0.05 },
      mass: 0.1,
      position: [0.6, 0, 0.05],
    });
    const headers = { "content-type": "application/json" };
    expect((await daemon.request("/api/simulation/objects", { method: "POST", headers, body })).status).toBe(200);
    // The head of the sleeping robot looks down; its frames change as soon as the object is there.
    await expect
      .poll(async () => (await bytesOf("/api/camera/frame?format=npy&width=320")).bytes.compare(before.bytes), {
        timeout: DEADLINE_MS,
      })
      .not.toBe(0);
  });

  test("streams frames until the client disconnects", async () => {
    const frames = await new Promise<Buffer[]>((resolve, reject) => {
      const request = httpRequest(`${daemon.url}/api/camera/stream?fps=30&width=320`, (response) => {
        expect(response.headers["content-type"]).toBe("multipart/x-mixed-replace; boundary=frame");
        let received = Buffer.alloc(0);
        response.on("data", (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          const parts = framesIn(received);
          if (parts.length < 3) return;
          request.destroy();
          resolve(parts);
        });
        response.on("error", () => {});
      });
      request.on("error", reject).end();
    });
    for (const frame of frames) expect(decodePicture(frame)).toMatchObject({ width: 320, height: 180 });
    expect(await daemon.request("/api/camera/stream", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });
});

/** The whole frames at the beginning of a stream. */
function framesIn(received: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; ; ) {
    const head = received.indexOf("\r\n\r\n", at);
    if (head < 0) return frames;
    const length = Number(/Content-Length: (\d+)/.exec(received.toString("latin1", at, head))?.[1]);
    if (received.length < head + 4 + length + 2) return frames;
    frames.push(received.subarray(head + 4, head + 4 + length));
    at = head + 4 + length + 2;
  }
}

describe("other sources", () => {
  const withCamera = async (camera: string, check: (other: TestDaemon) => Promise<void>) => {
    const other = await startTestDaemon([], { camera });
    await check(other).finally(() => other.close());
  };

  test("a picture of a file is shown in the camera's size", async () => {
    const file = join(daemon.dataDir, "red.png");
    const png = new PNG({ width: 90, height: 60 });
    png.data.fill(Buffer.from([250, 20, 20, 255]));
    await writeFile(file, PNG.sync.write(png));
    await withCamera(file, async ({ url }) => {
      const answer = await fetch(`${url}/api/camera/frame?format=npy&width=320`);
      const bytes = Buffer.from(await answer.arrayBuffer()).subarray(128);
      expect([...bytes.subarray(3 * (90 * 320 + 160), 3 * (90 * 320 + 160) + 3)]).toEqual([20, 20, 250]);
    });
  });

  test("without a camera the answers say so", () =>
    withCamera("none", async (other) => {
      expect(await other.json("/api/camera/frame")).toMatchObject({ code: "camera-unavailable", status: 503 });
      expect(await other.json("/api/camera/stream")).toMatchObject({ code: "camera-unavailable", status: 503 });
      expect(await other.json("/api/camera/specs")).toMatchObject({ code: "not-here", status: 501 });
      expect(await other.json("/api/daemon/status")).toMatchObject({ camera_specs_name: "" });
    }));
});
