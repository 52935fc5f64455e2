import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { decodeAudio, encodeAudio, SAMPLE_RATE, type Track } from "../../robot/wire/audio-frames.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

interface Message {
  type: string;
  [field: string]: unknown;
}

/** A client of `/ws/audio` that remembers what it hears. */
class Client {
  readonly told: Message[] = [];
  readonly samples: Record<Track, number[]> = { speaker: [], sound: [], microphone: [] };
  readonly socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(url: string) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws/audio`);
    this.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) {
        const { track, samples } = decodeAudio(data);
        this.samples[track].push(...samples);
      } else this.told.push(JSON.parse(String(data)));
      for (const look of this.#waiting) look();
    });
  }

  /** Settles when all that was said before has been heeded. */
  async heeded(): Promise<void> {
    const before = this.told.length;
    this.say("?");
    await this.until("answer", () => this.told.slice(before).some(({ type }) => type === "error"));
  }

  say(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  play(samples: Int16Array, track: Track = "speaker"): void {
    this.socket.send(encodeAudio(track, samples));
  }

  /** What `look` finds in what was heard, or is to come; rejects after ten seconds. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${what} in ten seconds`)), 10_000);
      const check = (): void => {
        const found = look();
        if (found === undefined || found === false) return;
        clearTimeout(late);
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  first(type: string): Promise<Message> {
    return this.until(type, () => this.told.find((message) => message.type === type));
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
  daemon.ask("/api/volume/set", {
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

test("a client is told at once how the robot speaks and hears", async () => {
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

test("what one plays another hears, at the volume, and the one is told that it was played", async () => {
  const [app, page] = [await connect(), await connect()];
  expect((await setVolume(100)).status).toBe(200);
  page.say({ type: "listen", track: "speaker", on: true });
  await page.heeded();
  const samples = Int16Array.from({ length: 1000 }, (_, i) => 1 + i);
  app.play(samples);
  await page.until("samples", () => page.samples.speaker.length === 1000);
  expect(page.samples.speaker).toEqual([...samples]);
  await app.first("played");
  expect(app.told.filter(({ type }) => type === "played").reduce((sum, { samples: n }) => sum + Number(n), 0)).toBe(
    1000,
  );
  expect(app.samples.speaker).toEqual([]);
});

test("several listeners hear the same microphone, lent by another; status tells how many there are", async () => {
  const [one, other, page] = [await connect(), await connect(), await connect()];
  page.say({ type: "lend_microphone", on: true });
  for (const client of [one, other]) client.say({ type: "listen", track: "microphone", on: true });
  await page.until("two listeners", () =>
    page.told.some(({ microphone }) => (microphone as { listeners: number } | undefined)?.listeners === 2),
  );
  page.play(new Int16Array(100).fill(1234), "microphone");
  for (const client of [one, other])
    await client.until("samples", () => client.samples.microphone.filter((sample) => sample === 1234).length === 100);
  expect(page.samples.microphone).toEqual([]);
});

test("what a client left to be played goes with it", async () => {
  const [app, page] = [await connect(), await connect()];
  page.say({ type: "listen", track: "speaker", on: true });
  await page.heeded();
  app.play(new Int16Array(16_000).fill(99));
  await page.until("samples", () => page.samples.speaker.length > 0);
  app.socket.close();
  await once(app.socket, "close");
  // Played after it, in the order of the voices: when this is over, so is what is left of the other.
  const next = await connect();
  next.play(new Int16Array(320).fill(-5));
  await page.until("the next one's samples", () => page.samples.speaker.some((sample) => sample < 0));
  expect(page.samples.speaker.length).toBeLessThan(16_000);
});

test("what waits can be dropped, and a sound of the robot's own is heard", async () => {
  const client = await connect();
  client.say({ type: "listen", track: "speaker", on: true });
  client.play(new Int16Array(30_000));
  client.say({ type: "drop", track: "speaker" });
  await client.until("all of it", () => {
    const gone = client.told
      .filter(({ type }) => type === "played")
      .reduce((sum, { samples }) => sum + Number(samples), 0);
    return gone === 30_000;
  });
  client.say({ type: "play", sound: "happy" });
  await client.until("the sound", () => client.samples.speaker.some((sample) => sample > 1000));
});

describe("bad input is answered with what is wrong, and the connection stays", () => {
  test.each([
    ["no JSON", "{", "not JSON"],
    ["an unknown type", { type: "explode" }, "message.type"],
    ["an unknown sound", { type: "play", sound: "dubstep" }, "message.sound"],
    ["a track that cannot be heard", { type: "listen", track: "sound", on: true }, "message.track"],
    ["an odd number of bytes", Buffer.from([0, 0, 1]), "3 bytes"],
    ["an unknown track", Buffer.from([9, 0, 1, 1]), "begins with 9, 0"],
    ["a microphone that is not lent", Buffer.from([2, 0, 1, 1]), "lend_microphone"],
  ])("%s", async (_, message, detail) => {
    const client = await connect();
    if (Buffer.isBuffer(message)) client.socket.send(message);
    else client.say(message);
    expect(await client.first("error")).toMatchObject({ code: "bad-request", detail: expect.stringContaining(detail) });
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("more than there is room for", async () => {
    const client = await connect();
    for (let second = 0; second < 12; second += 1) client.play(new Int16Array(SAMPLE_RATE));
    expect(await client.first("error")).toMatchObject({ detail: expect.stringContaining("left out") });
  });

  test("more than a message may hold ends this connection alone", async () => {
    const [client, neighbour] = [await connect(), await connect()];
    client.socket.send(Buffer.alloc(64_002));
    const [code] = await once(client.socket, "close");
    expect(code).toBe(1009);
    expect(neighbour.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("the routes", () => {
  test("set the volume and tell it, in the peer's shape", async () => {
    const listener = await connect();
    const answer = await setVolume(42);
    expect(JSON.parse(answer.text)).toEqual({ volume: 42, device: "browser", platform: expect.any(String) });
    expect(await daemon.json("/api/volume/current")).toMatchObject({ volume: 42 });
    await listener.until("the news", () => listener.told.some(({ volume }) => volume === 42));
    for (const volume of [-1, 101, 1.5, "loud", null]) expect((await setVolume(volume)).status).toBe(422);
    expect(await daemon.json("/api/audio/status")).toMatchObject({ volume: 42 });
  });

  test("play sounds, and name those there are for one that is unknown", async () => {
    const page = await connect();
    page.say({ type: "listen", track: "speaker", on: true });
    expect(await daemon.json("/api/volume/test-sound", "POST")).toMatchObject({ status: "ok" });
    await page.until("the chime", () => page.samples.speaker.some((sample) => sample !== 0));
    const refused = await daemon.ask("/api/audio/play", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"sound":"dubstep"}',
    });
    expect(refused.status).toBe(422);
    expect(JSON.parse(refused.text).detail).toContain("wake_up");
  });
});
