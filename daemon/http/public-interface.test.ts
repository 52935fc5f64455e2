import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { robotUrdf } from "../../robot/description/urdf.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

let daemon: TestDaemon;
let opened: WebSocket[] = [];

beforeAll(async () => {
  daemon = await startTestDaemon([]);
  await daemon.json("/api/move/play/wake_up", "POST");
  await waitFor(DEADLINE_MS, "the robot awake", async () => (await daemon.json<[]>("/api/move/running")).length === 0);
});
afterAll(() => daemon.close());
afterEach(() => {
  for (const socket of opened) socket.terminate();
  opened = [];
});

async function open(path: string): Promise<{ socket: WebSocket; received: Record<string, unknown>[] }> {
  const socket = new WebSocket(`${daemon.url.replace("http", "ws")}${path}`);
  opened.push(socket);
  const received: Record<string, unknown>[] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  await once(socket, "open");
  return { socket, received };
}

const post = (path: string, body: unknown) =>
  daemon.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("the state comes as often and with the fields that the address asks for", async () => {
  const { received } = await open("/api/state/ws/full?frequency=20&use_pose_matrix=true&with_body_yaw=false");
  await waitFor(DEADLINE_MS, "three states", () => received.length >= 3);
  expect(received[0]).toMatchObject({
    control_mode: "enabled",
    head_pose: { m: Array(16).fill(expect.any(Number)) },
    body_yaw: null,
    antennas_position: [expect.any(Number), expect.any(Number)],
    target_head_pose: null,
  });
});

test("the state over REST has the same fields, targets only when they are asked for", async () => {
  const asked = "with_target_head_pose=true&with_target_body_yaw=true&with_target_antenna_positions=true&with_imu=true";
  expect(await daemon.json(`/api/state/full?${asked}&with_control_mode=false`)).toMatchObject({
    control_mode: null,
    head_pose: { x: expect.any(Number), yaw: expect.any(Number) },
    target_head_pose: { x: expect.any(Number) },
    target_body_yaw: expect.any(Number),
    target_antennas_position: [expect.any(Number), expect.any(Number)],
    imu: null,
  });
  expect(await daemon.json("/api/state/present_head_pose?use_pose_matrix=1")).toEqual({
    m: Array(16).fill(expect.any(Number)),
  });
  expect((await daemon.request("/api/state/full?with_imu=perhaps")).status).toBe(422);
});

test("targets over their socket move the robot, and bad ones get an error", async () => {
  const { socket, received } = await open("/api/move/ws/set_target");
  socket.send(JSON.stringify({ target_antennas: "up" }));
  await waitFor(DEADLINE_MS, "an answer", () => received.length === 1);
  expect(received[0]).toMatchObject({ status: "error", detail: expect.stringContaining("target_antennas") });
  socket.send(JSON.stringify({ target_antennas: [0.4, 0], target_body_yaw: 0.2, timestamp: null }));
  await waitFor(DEADLINE_MS, "the right antenna at 0.4", async () => {
    const [right = 0] = await daemon.json<number[]>("/api/state/present_antenna_joint_positions");
    return Math.abs(right - 0.4) < 0.05;
  });
});

test("a body of the public daemon sets a target over REST, with a pose as a matrix", async () => {
  const m = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01, 0, 0, 0, 1];
  const answer = await post("/api/move/set_target", { target_head_pose: { m }, target_antennas: [0, 0] });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"status":"ok"')]);
});

test("moves are reported from their start to their end", async () => {
  const { received } = await open("/api/move/ws/updates");
  const { uuid } = JSON.parse((await post("/api/move/goto", { antennas: [0.1, 0.1], duration: 0.2 })).text);
  await waitFor(DEADLINE_MS, "the end of the move", () => received.some(({ type }) => type === "move_completed"));
  expect(received.filter((update) => update.uuid === uuid).map(({ type }) => type)).toEqual([
    "move_started",
    "move_completed",
  ]);
});

test("an unknown job gets the status failed", async () => {
  const { received } = await open("/api/apps/ws/apps-manager/nothing");
  await waitFor(DEADLINE_MS, "an answer", () => received.length > 0);
  expect(received[0]).toMatchObject({ status: "failed", error: expect.stringContaining("nothing") });
});

test("the routes for media, identity and the lock of the robot have the fields of the public daemon", async () => {
  await daemon.json("/api/media/release", "POST");
  expect(await daemon.json("/api/media/status")).toEqual({ available: false, released: true, no_media: true });
  expect(await daemon.json("/api/daemon/status")).toMatchObject({ type: "daemon_status", media_released: true });
  await daemon.json("/api/media/acquire", "POST");
  expect(await daemon.json("/api/media/status")).toMatchObject({ released: false });
  expect(await daemon.json("/api/daemon/robot-app-lock-status")).toEqual({ state: "free", holder_name: null });
  expect(await daemon.json("/api/daemon/robot-name")).toEqual({ name: "robot" });
  expect(await daemon.json("/health-check")).toEqual({ status: "ok" });
  expect(await daemon.json("/api/hf-auth/status")).toEqual({ is_logged_in: false, username: null });
  expect(await daemon.json("/api/kinematics/stl/head.stl")).toMatchObject({ status: 501, code: "not-here" });
  expect(await daemon.json("/api/kinematics/urdf")).toEqual({ urdf: robotUrdf() });
  expect((await post("/api/media/play_sound", { file: "loud.wav" })).text).toContain("wake_up.wav");
  expect((await post("/api/media/play_sound", { file: "wake_up.wav" })).status).toBe(200);
  expect(await daemon.json("/api/media/tracking/enable", "POST")).toMatchObject({ enabled: false });
});
