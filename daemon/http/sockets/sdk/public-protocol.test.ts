import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import { waitFor as waitForMs } from "../../../../common/time/wait-for.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

const waitFor = <T>(condition: Parameters<typeof waitForMs<T>>[2], what: string) =>
  waitForMs(DEADLINE_MS, what, condition);

let daemon: TestDaemon;
let socket: WebSocket;
let received: { type: string; [field: string]: unknown }[] = [];

beforeAll(async () => {
  daemon = await startTestDaemon([]);
  await daemon.json("/api/move/play/wake_up", "POST");
  await waitFor(async () => (await daemon.json<unknown[]>("/api/move/running")).length === 0, "the robot awake");
});
afterAll(() => daemon.close());
beforeEach(async () => {
  received = [];
  socket = new WebSocket(`${daemon.url.replace("http", "ws")}/ws/sdk`, {
    headers: { "x-reachy-client": "python_sdk/1.13.0 (linux)" },
  });
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  await once(socket, "open");
});
afterEach(() => socket.terminate());

const send = (message: unknown) => socket.send(JSON.stringify(message));
const yawed = (yaw: number, stretch = 1) => {
  const [c, s] = [Math.cos(yaw) * stretch, Math.sin(yaw) * stretch];
  return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
};

/** Waits until a field of the state is near a value. */
const reaches = (what: "body_yaw" | "right", wanted: number) =>
  waitFor(async () => {
    const { body_yaw, antennas_position } = await daemon.json<{ body_yaw: number; antennas_position: number[] }>(
      "/api/state/full",
    );
    return Math.abs((what === "body_yaw" ? body_yaw : (antennas_position[0] ?? 0)) - wanted) < 0.06;
  }, `${what} at ${wanted}`);
const ended = (uuid: string) =>
  waitFor(() => received.find((message) => message.type === "task_progress" && message.uuid === uuid), uuid);

test("a body yaw stays across messages that do not name it", async () => {
  send({ type: "set_body_yaw", body_yaw: 0.5 });
  for (let step = 0; step < 20; step++) {
    send({ type: "set_target", head: yawed(0.1 + step / 1000) });
    send({ type: "set_antennas", antennas: [0.01 * step, 0] });
    send({ type: "set_full_target", head: yawed(0.1), antennas: null, body_yaw: null });
  }
  await reaches("body_yaw", 0.5);
});

test("the body follows the head only as far as the head cannot turn from it", async () => {
  send({ type: "set_automatic_body_yaw", enabled: true });
  send({ type: "set_full_target", head: yawed(1), antennas: [0, 0], body_yaw: 0 });
  await reaches("body_yaw", 0);
  send({ type: "set_target", head: yawed(1.6) });
  await reaches("body_yaw", 1.6 - (65 * Math.PI) / 180);
  send({ type: "set_target", head: yawed(0) });
  await reaches("body_yaw", 0);
});

test("a move that another one supersedes is over without an error, and a nearly rigid pose is taken", async () => {
  send({ type: "task", uuid: "one", req: { head: yawed(0.2, 1.05), antennas: null, duration: 30, method: "minjerk" } });
  send({ type: "task", uuid: "two", req: { head: null, antennas: [0.2, 0], duration: 0.1, method: "minjerk" } });
  expect(await ended("one")).toMatchObject({ finished: true, error: null });
  expect(await ended("two")).toMatchObject({ finished: true, error: null });
});

test("antennas go as far as they can, and joints have the names of the SDK", async () => {
  send({ type: "set_antennas", antennas: [7, -7] });
  await reaches("right", Math.PI);
  send({ type: "set_antennas", antennas: [0, 0] });
  await reaches("right", 0);
  send({ type: "set_torque", on: false, ids: ["body_rotation"] });
  await waitFor(
    () =>
      received.some(
        ({ backend_status }) => (backend_status as { motor_control_mode?: string })?.motor_control_mode === "enabled",
      ),
    "a status",
  );
  // Over REST, because a message may be lost when the socket closes at once.
  await daemon.json("/api/motors/set_mode/enabled", "POST");
  expect(received.filter(({ type }) => type === "error")).toEqual([]);
});

test("a column-major pose is refused, because its translation is in the last row", async () => {
  send({ type: "set_target", head: yawed(0).with(14, 0.01) });
  const { code, detail } = await waitFor(() => received.find(({ type }) => type === "error"), "an error");
  expect({ code, detail }).toEqual({
    code: "target-refused",
    detail: expect.stringContaining("head's last row is 0, 0, 0.01, 1 instead of 0, 0, 0, 1"),
  });
});

test("offsets of speech move the head, and end with the connection", async () => {
  const yawOfHead = async () => (await daemon.json<{ yaw: number }>("/api/state/present_head_pose")).yaw;
  send({ type: "set_full_target", head: yawed(0), antennas: [0, 0], body_yaw: 0 });
  await reaches("body_yaw", 0);
  send({ type: "set_speech_offsets", offsets: [0, 0, 0, 0, 0, 0.2] });
  await waitFor(async () => Math.abs((await yawOfHead()) - 0.2) < 0.04, "the head at its offset");
  socket.terminate();
  await waitFor(async () => Math.abs(await yawOfHead()) < 0.04, "the head without its offset");
});

test("a move with the motors off ends without an error, and people are told", async () => {
  await daemon.json("/api/motors/set_mode/disabled", "POST");
  send({ type: "task", uuid: "off", req: { head: null, antennas: [0.2, 0], duration: 0.1, method: "minjerk" } });
  expect(await ended("off")).toMatchObject({ finished: true, error: null });
});
