import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../../common/testing/deadline.ts";
import { decodeAudio, encodeAudio, SAMPLE_RATE, type Track } from "../../../../robot/wire/audio/audio-frames.ts";
import { startTestDaemon, type TestDaemon } from "../../testing/test-daemon.ts";

interface Message {
  type: string;
  [field: string]: unknown;
}

/** A client of `/ws/audio` that keeps the messages and samples it receives. */
class Client {
  readonly messages: Message[] = [];
  readonly samples: Record<Track, number[]> = { speaker: [], sound: [], microphone: [] };
  readonly socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(url: string) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws/audio`);
    this.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) {
        const { track, samples } = decodeAudio(data);
        this.samples[track].push(...samples);
      } else this.messages.push(JSON.parse(String(data)));
      for (const check of this.#waiting) check();
    });
  }

  /** Sum of all `played` messages. */
  get playedSamples(): number {
    return this.messages.reduce((sum, { type, samples }) => (type === "played" ? sum + Number(samples) : sum), 0);
  }

  /** Resolves when the daemon has handled all earlier messages. */
  async flush(): Promise<void> {
    const before = this.messages.length;
    this.send("?");
    await this.until("answer", () => this.messages.slice(before).some(({ type }) => type === "error"));
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  play(samples: Int16Array, track: Track = "speaker"): void {
    this.socket.send(encodeAudio(track, samples));
  }

  /** Resolves with the result of `find` as soon as there is one; rejects after the deadline of tests. */
  until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error(`no ${what} in time`)), DEADLINE_MS);
      const check = (): void => {
        const found = find();
        if (found === undefined || found === false) return;
        clearTimeout(timeout);
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  first(type: string): Promise<Message> {
    return this.until(type, () => this.messages.find((message) => message.type === type));
  }
}

let daemon: TestDaemon;
let clients: Client[];
const connect = async (): Promise<Client> => {
  const client = new Client(daemon.url);
  clients.push(client);
  await once(client.socket, "open");
  return client;
};
const setVolume = (volume: unknown) =>
  daemon.request("/api/volume/set", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ volume }),
  });
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());
beforeEach(() => {
  clients = [];
});
afterEach(() => {
  for (const { socket } of clients) socket.terminate();
});

test("a client gets the status on connect", async () => {
  const client = await connect();
  expect(await client.first("status")).toMatchObject({
    sample_rate: SAMPLE_RATE,
    channels: 1,
    room: 10 * SAMPLE_RATE,
    speaker: { kind: "browser", name: null, fault: null },
    microphone: { kind: "browser", listeners: 0 },
    sounds: expect.arrayContaining(["wake_up", "sleep"]),
  });
});

test("samples that one client plays reach another, at the volume, and the first gets `played`", async () => {
  const [app, page] = [await connect(), await connect()];
  expect((await setVolume(100)).status).toBe(200);
  page.send({ type: "listen", track: "speaker", on: true });
  await page.flush();
  const samples = Int16Array.from({ length: 1000 }, (_, i) => 1 + i);
  app.play(samples);
  await page.until("samples", () => page.samples.speaker.length === 1000);
  expect(page.samples.speaker).toEqual([...samples]);
  await app.first("played");
  expect(app.messages.filter(({ type }) => type === "played").reduce((sum, { samples: n }) => sum + Number(n), 0)).toBe(
    1000,
  );
  expect(app.samples.speaker).toEqual([]);
});

test("several clients get the same microphone, fed by another client, and the status counts them", async () => {
  const [one, other, page] = [await connect(), await connect(), await connect()];
  page.send({ type: "lend_microphone", on: true });
  for (const client of [one, other]) client.send({ type: "listen", track: "microphone", on: true });
  await page.until("two listeners", () =>
    page.messages.some(({ microphone }) => (microphone as { listeners: number } | undefined)?.listeners === 2),
  );
  page.play(new Int16Array(100).fill(1234), "microphone");
  for (const client of [one, other])
    await client.until("samples", () => client.samples.microphone.filter((sample) => sample === 1234).length === 100);
  expect(page.samples.microphone).toEqual([]);
});

test("queued samples of a client are dropped when it disconnects", async () => {
  const [app, page] = [await connect(), await connect()];
  page.send({ type: "listen", track: "speaker", on: true });
  await page.flush();
  app.play(new Int16Array(16_000).fill(99));
  await page.until("samples", () => page.samples.speaker.length > 0);
  app.socket.close();
  await once(app.socket, "close");
  // Samples of a new client are played only when nothing of the old one is left.
  const next = await connect();
  next.play(new Int16Array(320).fill(-5));
  await page.until("the next one's samples", () => page.samples.speaker.some((sample) => sample < 0));
  expect(page.samples.speaker.length).toBeLessThan(16_000);
});

test("queued samples can be dropped, and a built-in sound is played", async () => {
  const client = await connect();
  client.send({ type: "listen", track: "speaker", on: true });
  client.play(new Int16Array(30_000));
  client.send({ type: "drop", track: "speaker" });
  await client.until("all of the samples", () => client.playedSamples === 30_000);
  client.send({ type: "play", sound: "happy" });
  await client.until("the sound", () => client.samples.speaker.some((sample) => sample > 1000));
});

describe("bad input is answered with the error, and the connection stays open", () => {
  test.each([
    ["invalid JSON", "{", "not JSON"],
    ["an unknown type", { type: "explode" }, "message.type"],
    ["an unknown sound", { type: "play", sound: "dubstep" }, "message.sound"],
    ["a track without listeners", { type: "listen", track: "sound", on: true }, "message.track"],
    ["an odd number of bytes", Buffer.from([0, 0, 1]), "3 bytes"],
    ["an unknown track", Buffer.from([9, 0, 1, 1]), "begins with 9, 0"],
    ["microphone samples without a feed", Buffer.from([2, 0, 1, 1]), "lend_microphone"],
  ])("%s", async (_, message, detail) => {
    const client = await connect();
    if (Buffer.isBuffer(message)) client.socket.send(message);
    else client.send(message);
    expect(await client.first("error")).toMatchObject({ code: "bad-request", detail: expect.stringContaining(detail) });
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("more samples than the queue holds; the dropped ones count as played, so that the client's count stays right", async () => {
    const client = await connect();
    for (let second = 0; second < 12; second += 1) client.play(new Int16Array(SAMPLE_RATE));
    expect(await client.first("error")).toMatchObject({ detail: expect.stringContaining("dropped") });
    client.send({ type: "drop", track: "speaker" });
    await client.until("all of the samples", () => client.playedSamples === 12 * SAMPLE_RATE);
  });

  test("a message that is too large closes only its own connection", async () => {
    const [client, neighbour] = [await connect(), await connect()];
    client.socket.send(Buffer.alloc(64_002));
    const [code] = await once(client.socket, "close");
    expect(code).toBe(1009);
    expect(neighbour.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("the routes", () => {
  test("set and return the volume, with the public daemon's fields", async () => {
    const listener = await connect();
    const answer = await setVolume(42);
    expect(JSON.parse(answer.text)).toEqual({ volume: 42, device: "browser", platform: expect.any(String) });
    expect(await daemon.json("/api/volume/current")).toMatchObject({ volume: 42 });
    await listener.until("the news", () => listener.messages.some(({ volume }) => volume === 42));
    for (const volume of [-1, 101, 1.5, "loud", null]) expect((await setVolume(volume)).status).toBe(422);
    expect(await daemon.json("/api/audio/status")).toMatchObject({ volume: 42 });
  });

  test("set and return the volume of the microphone, which stays when that of the speaker is set", async () => {
    const { text } = await daemon.request("/api/volume/microphone/set", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"volume":30}',
    });
    expect(JSON.parse(text)).toEqual({ volume: 30, device: "browser", platform: expect.any(String) });
    await setVolume(60);
    expect(await daemon.json("/api/volume/microphone/current")).toMatchObject({ volume: 30 });
    expect(JSON.parse(readFileSync(path.join(daemon.dataDir, "audio.json"), "utf8"))).toEqual({
      volume: 60,
      microphone: 30,
    });
  });

  test("play sounds, and list them for an unknown one", async () => {
    const page = await connect();
    page.send({ type: "listen", track: "speaker", on: true });
    expect(await daemon.json("/api/volume/test-sound", "POST")).toMatchObject({ status: "ok" });
    await page.until("the chime", () => page.samples.speaker.some((sample) => sample !== 0));
    const refused = await daemon.request("/api/audio/play", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"sound":"dubstep"}',
    });
    expect(refused.status).toBe(422);
    expect(JSON.parse(refused.text).detail).toContain("wake_up");
  });
});
