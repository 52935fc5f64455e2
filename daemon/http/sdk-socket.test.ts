import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { readEvents } from "./testing/read-events.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

interface Message {
  type: string;
  [field: string]: unknown;
}

/** A client of `/ws/sdk` that remembers what it hears. */
class Client {
  readonly heard: Message[] = [];
  readonly socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws/sdk`, { headers });
    this.socket.on("message", (data) => {
      this.heard.push(JSON.parse(String(data)));
      for (const look of this.#waiting) look();
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The first message, heard or to come, of a type; rejects after ten seconds. */
  first(type: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${type} in ten seconds`)), 10_000);
      const look = (): void => {
        const found = this.heard.find((message) => message.type === type);
        if (!found) return;
        clearTimeout(late);
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

let daemon: TestDaemon;
let client: Client;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());
beforeEach(async () => {
  client = new Client(daemon.url);
  await once(client.socket, "open");
});
afterEach(() => client.socket.terminate());

test("a client hears positions, pose and status at once, in the shapes of the public protocol", async () => {
  await client.first("daemon_status");
  expect(client.heard.slice(0, 3).map(({ type }) => type)).toEqual(["joint_positions", "head_pose", "daemon_status"]);
  expect(client.heard[0]).toMatchObject({
    head_joint_positions: Array(7).fill(expect.any(Number)),
    antennas_joint_positions: Array(2).fill(expect.any(Number)),
  });
  expect(client.heard[1]).toMatchObject({ head_pose: Array(4).fill(Array(4).fill(expect.any(Number))) });
  expect(client.heard[2]).toMatchObject({ simulation_enabled: true, no_media: true, backend_status: { error: null } });
});

test("only our own SDK hears the version: the peer's client warns of any other than its own", async () => {
  const ours = new Client(daemon.url, { "x-robot-client-pid": "1" });
  expect((await ours.first("daemon_status")).version).toBe("0.0.0-test");
  expect((await client.first("daemon_status")).version).toBeNull();
  ours.socket.terminate();
});

test("a move with an id is answered when it has ended, and says why when it did not", async () => {
  client.send({ type: "wake_up", uuid: "first" });
  expect(await client.first("task_progress")).toMatchObject({ uuid: "first", finished: true, error: null });
  client.heard.length = 0;
  client.send({ type: "set_motor_mode", mode: "disabled" });
  client.send({ type: "task", uuid: "second", req: { antennas: [0.1, 0.1], duration: 0.1 } });
  const refused = await client.first("task_progress");
  expect(refused).toMatchObject({ uuid: "second", finished: true, error: expect.stringContaining("motors") });
});

test.each([
  ["no JSON", "{", "not JSON"],
  ["an unknown type", { type: "explode" }, "message.type"],
  ["a pose of 15 numbers", { type: "set_target", head: Array(15).fill(0) }, "message.head"],
  [
    "a record that is no pose",
    { type: "append_record", record: { time: 0, head: "x".repeat(1000) } },
    "message.record.head",
  ],
])("%s is answered with what is wrong, and the connection stays", async (_, message, detail) => {
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
])("%s are refused, and people are told once", async (_, message, detail) => {
  const told = await readEvents(`${daemon.url}/api/events`);
  client.send(message);
  client.send(message);
  expect(await client.first("error")).toMatchObject({ code: "bad-request", detail: expect.stringContaining(detail) });
  client.send({ type: "set_torque", on: "yes" });
  await told.until(({ name, data }) => name === "notice" && data.message.includes("message.on"));
  const notices = told.seen.filter(({ name, data }) => name === "notice" && data.message.includes(detail));
  expect(notices).toHaveLength(1);
  told.close();
});

test("a move of milliseconds ends at once with what is wrong", async () => {
  client.send({ type: "task", uuid: "slow", req: { body_yaw: 0, duration: 500 } });
  expect(await client.first("task_progress")).toMatchObject({
    uuid: "slow",
    error: expect.stringContaining("message.req.duration is 500; it must be a time in seconds"),
  });
});

test("what is recorded comes back", async () => {
  const record = { time: 1.5, body_yaw: 0.1, head: Array(16).fill(0), antennas: [0, 1] };
  client.send({ type: "append_record", record: { time: 0 } });
  client.send({ type: "start_recording" });
  client.send({ type: "append_record", record });
  client.send({ type: "stop_recording" });
  expect(await client.first("recorded_data")).toEqual({ type: "recorded_data", data: [record] });
});

test("a message that is too large ends this connection alone", async () => {
  const neighbour = new Client(daemon.url);
  await once(neighbour.socket, "open");
  client.send("x".repeat(64_001));
  const [code] = await once(client.socket, "close");
  expect(code).toBe(1009);
  expect(neighbour.socket.readyState).toBe(WebSocket.OPEN);
  neighbour.socket.terminate();
});
