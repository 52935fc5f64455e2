import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import { readEvents } from "../../testing/read-events.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

interface Message {
  type: string;
  [field: string]: unknown;
}

/** A client of `/ws/sdk` that keeps the messages it receives. */
class Client {
  readonly received: Message[] = [];
  readonly socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws/sdk`, { headers });
    this.socket.on("message", (data) => {
      this.received.push(JSON.parse(String(data)));
      for (const check of this.#waiting) check();
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Resolves with the first message of a type, received already or later; rejects after the deadline of tests. */
  first(type: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error(`no ${type} in time`)), DEADLINE_MS);
      const check = (): void => {
        const found = this.received.find((message) => message.type === type);
        if (!found) return;
        clearTimeout(timeout);
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}

let daemon: TestDaemon;
let client: Client;
beforeAll(async () => {
  daemon = await startTestDaemon(["obedient"]);
});
afterAll(() => daemon.close());
beforeEach(async () => {
  client = new Client(daemon.url);
  await once(client.socket, "open");
});
afterEach(() => client.socket.terminate());

test("a client gets positions, pose and status on connect, with the fields of the public protocol", async () => {
  await client.first("daemon_status");
  expect(client.received.slice(0, 3).map(({ type }) => type)).toEqual([
    "joint_positions",
    "head_pose",
    "daemon_status",
  ]);
  expect(client.received[0]).toMatchObject({
    head_joint_positions: Array(7).fill(expect.any(Number)),
    antennas_joint_positions: Array(2).fill(expect.any(Number)),
  });
  expect(client.received[1]).toMatchObject({ head_pose: Array(4).fill(Array(4).fill(expect.any(Number))) });
  expect(client.received[2]).toMatchObject({
    simulation_enabled: true,
    no_media: true,
    backend_status: { error: null },
  });
});

test("only robot-sdk gets the version, because the public SDK warns about any other version than its own", async () => {
  const robotSdk = new Client(daemon.url, { "x-robot-client-pid": "1" });
  expect((await robotSdk.first("daemon_status")).version).toBe("0.0.0-test");
  expect((await client.first("daemon_status")).version).toBeNull();
  robotSdk.socket.terminate();
});

test("a move with an id is answered when it ends, with the reason when it failed", async () => {
  client.send({ type: "wake_up", uuid: "first" });
  expect(await client.first("task_progress")).toMatchObject({ uuid: "first", finished: true, error: null });
  client.received.length = 0;
  client.send({ type: "set_motor_mode", mode: "disabled" });
  client.send({ type: "task", uuid: "second", req: { antennas: [0.1, 0.1], duration: 0.1 } });
  const refused = await client.first("task_progress");
  expect(refused).toMatchObject({ uuid: "second", finished: true, error: expect.stringContaining("motors") });
});

test.each([
  ["invalid JSON", "{", "not JSON"],
  ["an unknown type", { type: "explode" }, "message.type"],
  ["a pose of 15 numbers", { type: "set_target", head: Array(15).fill(0) }, "message.head"],
  [
    "a record without a pose",
    { type: "append_record", record: { time: 0, head: "x".repeat(1000) } },
    "message.record.head",
  ],
])("%s is answered with the error, and the connection stays open", async (_, message, detail) => {
  client.send(message);
  expect(await client.first("error")).toMatchObject({ code: "bad-request", detail: expect.stringContaining(detail) });
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
});

test.each([
  [
    "degrees",
    { type: "set_body_yaw", body_yaw: 30 },
    "message.body_yaw is 30; it must be an angle in radians, not degrees",
  ],
  ["degrees in a full target", { type: "set_full_target", antennas: [0, -45] }, "message.antennas[1] is -45;"],
  ["millimetres", { type: "set_target", head: [...Array(11).fill(0), 25, 0, 0, 0, 1] }, "25 mm are 0.025"],
])("%s are refused, and one notice is shown", async (_, message, detail) => {
  const events = await readEvents(`${daemon.url}/api/events`);
  client.send(message);
  client.send(message);
  expect(await client.first("error")).toMatchObject({ code: "bad-request", detail: expect.stringContaining(detail) });
  client.send({ type: "set_torque", on: "yes" });
  await events.first(({ name, data }) => name === "notice" && data.message.includes("message.on"));
  const notices = events.received.filter(({ name, data }) => name === "notice" && data.message.includes(detail));
  expect(notices).toHaveLength(1);
  events.close();
});

test("a move with a duration in milliseconds ends immediately with the error", async () => {
  client.send({ type: "task", uuid: "slow", req: { body_yaw: 0, duration: 500 } });
  expect(await client.first("task_progress")).toMatchObject({
    uuid: "slow",
    error: expect.stringContaining("message.req.duration is 500; it must be a time in seconds"),
  });
});

test("a refused target is answered with the reason, not once per target", async () => {
  for (let i = 0; i < 50; i += 1) client.send({ type: "set_antennas", antennas: [0.1, 0.1] });
  expect(await client.first("error")).toMatchObject({ code: "motors-off" });
  client.send({ type: "task", uuid: "marker", req: { body_yaw: 0, duration: 1 } });
  await client.first("task_progress");
  expect(client.received.filter(({ type }) => type === "error").length).toBeLessThan(50);
});

test("a program that sets targets without a pause is reported once, with its rate and the remedy", async () => {
  const events = await readEvents(`${daemon.url}/api/events`);
  const reports = () => events.received.filter(({ data }) => /targets per second/.test(data.message));
  let isReported = false;
  const reported = events
    .first(({ data }) => /targets per second/.test(data.message))
    .then((event) => {
      isReported = true;
      return event;
    });
  while (!isReported) {
    for (let i = 0; i < 50; i += 1) client.send({ type: "set_antennas", antennas: [0.1, 0.1] });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await reported).data.message).toMatch(
    /^A program on the SDK socket sets \d+ targets per second; the robot follows at most 100 .*time\.sleep/,
  );
  client.send({ type: "start_recording" });
  client.send({ type: "stop_recording" });
  await client.first("recorded_data");
  expect(reports()).toHaveLength(1);
  events.close();
});

test("a motion recording is returned", async () => {
  const record = { time: 1.5, body_yaw: 0.1, head: Array(16).fill(0), antennas: [0, 1] };
  client.send({ type: "append_record", record: { time: 0 } });
  client.send({ type: "start_recording" });
  client.send({ type: "append_record", record });
  client.send({ type: "stop_recording" });
  expect(await client.first("recorded_data")).toEqual({ type: "recorded_data", data: [record] });
});

test("media that an app has released are acquired when it has ended", async () => {
  const released = async () => (await daemon.json<{ released: boolean }>("/api/media/status")).released;
  await daemon.json("/api/apps/start-app/obedient", "POST");
  await daemon.json("/api/media/release", "POST");
  expect(await released()).toBe(true);
  await daemon.json("/api/apps/stop-current-app", "POST");
  expect(await released()).toBe(false);
});

test("a message that is too large closes only its own connection", async () => {
  const neighbour = new Client(daemon.url);
  await once(neighbour.socket, "open");
  client.send("x".repeat(64_001));
  const [code] = await once(client.socket, "close");
  expect(code).toBe(1009);
  expect(neighbour.socket.readyState).toBe(WebSocket.OPEN);
  neighbour.socket.terminate();
});

test.each([
  ["another program puts the robot to sleep: the app is stopped first", "other", "done"],
  ["a program without a process id does so: the app is stopped first", "unknown", "done"],
  ["the app itself does so: it runs on", "app", "running"],
] as const)("while an app runs, %s", async (_, who, state) => {
  const current = "/api/apps/current-app-status";
  const events = await readEvents(`${daemon.url}/api/events`);
  await daemon.json("/api/apps/start-app/obedient", "POST");
  const started = await events.first(({ name, data }) => name === "process" && data.what === "started");
  events.close();
  const pid = { other: "1", unknown: undefined, app: String(started.data.pid) }[who];
  const sleeper = new Client(daemon.url, pid === undefined ? {} : { "x-robot-client-pid": pid });
  await once(sleeper.socket, "open");
  sleeper.send({ type: "goto_sleep", uuid: "sleep" });
  expect(await sleeper.first("task_progress")).toMatchObject({ uuid: "sleep", error: null });
  expect(await daemon.json(current)).toMatchObject({ info: { name: "obedient" }, state });
  sleeper.socket.terminate();
  if (state !== "done") await daemon.json("/api/apps/stop-current-app", "POST");
});
