import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import type { ObjectsFrame } from "../../../../robot/wire/scene/scene-frame.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());

const json = { "content-type": "application/json" };
const ball = { name: "ball", shape: { kind: "ball", radius: 0.02 }, mass: 0.05, position: [0.3, 0, 0.02] };
const send = (path: string, body: unknown) =>
  daemon.request(path, { method: "POST", headers: json, body: JSON.stringify(body) });

/** Connects a client that collects its frames. */
async function connect(): Promise<{
  first(matches: (frame: ObjectsFrame) => boolean): Promise<ObjectsFrame>;
  close(): void;
}> {
  const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/ws/scene`);
  const frames: ObjectsFrame[] = [];
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    socket.emit("frame");
  });
  await once(socket, "open");
  return {
    async first(matches) {
      for (;;) {
        const found = frames.find(matches);
        if (found !== undefined) return found;
        await once(socket, "frame", { signal: AbortSignal.timeout(DEADLINE_MS) });
      }
    },
    close: () => socket.close(),
  };
}

test("a client gets an object when it is added and while it moves; a later client gets it on connect", async () => {
  const early = await connect();
  expect((await early.first(() => true)).objects).toEqual([]);
  expect((await send("/api/simulation/objects", ball)).status).toBe(200);
  const { objects } = await early.first((frame) => frame.objects.length === 1);
  expect(objects).toMatchObject([{ name: "ball", shape: ball.shape }]);
  expect(objects[0]?.pose.slice(0, 3)).toEqual([0.3, 0, expect.closeTo(0.02, 3)]);

  await send("/api/simulation/push", { hand: "test", body: "ball", towards: [0.3, 0, 0.2], seconds: 10 });
  await early.first((frame) => (frame.objects[0]?.pose[2] ?? 0) > 0.19);
  const late = await connect();
  expect((await late.first(() => true)).objects[0]?.pose[2]).toBeGreaterThan(0.15);

  await send("/api/simulation/reset", {});
  await Promise.all([early, late].map((reader) => reader.first(({ t, objects: [one] }) => t > 0 && one === undefined)));
  early.close();
  late.close();
});

test("a request that both pushes and pulls is refused", async () => {
  const { status, text } = await send("/api/simulation/push", { body: "head", force: [1, 0, 0], towards: [0, 0, 1] });
  expect(status).toBe(422);
  expect(text).toContain("either");
});
