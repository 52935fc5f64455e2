import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { InertialReading } from "../../../robot/wire/robot/inertial-reading.ts";
import { startTestDaemon, type TestDaemon } from "../testing/test-daemon.ts";

const READING = {
  accelerometer: [expect.any(Number), expect.any(Number), expect.any(Number)],
  gyroscope: [expect.any(Number), expect.any(Number), expect.any(Number)],
  quaternion: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
  temperature: expect.any(Number),
};
let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon([], { inertialSensor: true });
});
afterAll(() => daemon.close());

test("the reading comes over REST, alone and in the state when it is asked for", async () => {
  const reading = await waitFor(DEADLINE_MS, "a reading", () => daemon.json<InertialReading | null>("/api/state/imu"));
  expect(reading).toEqual(READING);
  expect(Math.hypot(...reading.accelerometer)).toBeGreaterThan(9);
  expect(Math.hypot(...reading.accelerometer)).toBeLessThan(10.5);
  expect(await daemon.json("/api/state/full?with_imu=true")).toMatchObject({ imu: READING });
  expect(await daemon.json("/api/state/full")).toMatchObject({ imu: null });
});

test("apps get it as messages with the joints' angles, each a new one", async () => {
  const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/ws/sdk`);
  const received: ({ type: string } & InertialReading)[] = [];
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.type === "imu_data") received.push(message);
  });
  await once(socket, "open");
  await waitFor(DEADLINE_MS, "ten readings", () => received.length >= 10);
  socket.terminate();
  expect(received[0]).toEqual({ type: "imu_data", ...READING });
  expect(new Set(received.map(({ gyroscope }) => gyroscope.join())).size).toBeGreaterThan(5);
});
