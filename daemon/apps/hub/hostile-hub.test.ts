import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { HubCatalogue } from "../catalogue/hub-catalogue.ts";
import { spaceSource } from "../install/fetch/space-source.ts";
import { HubClient } from "./hub-client.ts";
import { HUB_BOUNDS, type HubBounds } from "./hub-request.ts";

const never = new AbortController().signal;
const SHA = "a".repeat(40);
const SPACE = { id: "ada/wave", private: false, likes: 1, lastModified: "2026-01-01T00:00:00.000Z", sha: SHA };
const TAGGED = { ...SPACE, tags: ["robot_python_app"], cardData: { title: "Wave" } };

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A hub that answers everything alike. `sent` counts the bytes that it got rid of. */
async function hubWith(answer: Answer, bounds: Partial<HubBounds> = {}) {
  const url = await serveHttp((request, response) => void answer(request, response));
  return new HubClient({ url, token: null, bounds });
}

const json =
  (value: unknown): Answer =>
  (_, response) =>
    response.end(JSON.stringify(value));

/** The whole list of spaces. */
async function list(hub: HubClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of hub.spacesWith("robot_python_app", never)) ids.push(id);
  return ids;
}

async function read(content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of content) bytes += chunk.byteLength;
  return bytes;
}

/** Writes as fast as it is read, without end; resolves when the reader is gone. */
async function flood(response: ServerResponse, chunk: Buffer | string): Promise<number> {
  let written = 0;
  const closed = new Promise<void>((resolve) => void response.once("close", () => resolve()));
  while (!response.closed) {
    written += chunk.length;
    if (!response.write(chunk)) {
      await Promise.race([new Promise<void>((resolve) => void response.once("drain", () => resolve())), closed]);
    }
  }
  return written;
}

describe("bytes are counted as they come", () => {
  // A gzip member of 2 MB of zeros has 2 kB; members can be joined.
  const bomb = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync(Buffer.alloc(2_000_000, 0x20))));

  test.each<[string, (hub: HubClient) => Promise<unknown>]>([
    ["the list of spaces", list],
    ["ada/wave", (hub) => hub.space("ada/wave", never)],
    ["ada/wave", (hub) => hub.files("ada/wave", SHA, never)],
    ["the user of a token", (hub) => hub.logIn("hf_x", never)],
  ])("of 2 MB of gzip that become 2 GB: %s", async (_, ask) => {
    expect(bomb.length).toBeLessThan(3_000_000);
    const hub = await hubWith((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(ask(hub)).rejects.toMatchObject({
      code: "hub-answer",
      message: expect.stringMatching(/more than \d MB/),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  test.each([
    [10, 400_000_000, /more than the 10 bytes that its list says/],
    [10, 3, /has 3 bytes, its list says 10/],
  ])("of a file that is listed with %i bytes and sends %i", async (size, sends, message) => {
    let gotRid = Promise.resolve(0);
    const hub = await hubWith((_, response) => {
      if (sends < 100) response.end("x".repeat(sends));
      else gotRid = flood(response, Buffer.alloc(65_536));
    });
    const content = hub.content("ada/wave", SHA, { path: "big.bin", size }, never);
    await expect(read(content)).rejects.toMatchObject({ code: "hub-answer", message: expect.stringMatching(message) });
    // The rest of it fills the buffers of the connection, and no more.
    expect(await gotRid).toBeLessThan(50_000_000);
  });
});

describe("a list", () => {
  test("of 160,000 spaces on one page is refused before it is parsed", async () => {
    const hub = await hubWith(json(Array.from({ length: 160_000 }, (_, at) => ({ ...TAGGED, id: `ada/app${at}` }))));
    await expect(list(hub)).rejects.toMatchObject({
      code: "hub-answer",
      message: expect.stringMatching(/more than 4 MB/),
    });
  });

  test("of 160,000 spaces on pages ends at its limit", async () => {
    const page = Array.from({ length: 500 }, (_, at) => ({ ...TAGGED, id: `ada/app${at}` }));
    let asked = 0;
    const hub = await hubWith(({ headers, url }, response) => {
      asked += 1;
      response.setHeader("link", `<http://${headers.host}${url}>; rel="next"`).end(JSON.stringify(page));
    });
    await expect(list(hub)).rejects.toMatchObject({
      code: "hub-answer",
      message: expect.stringMatching(/the list of spaces has more than 10000 entries/),
    });
    expect(asked).toBe(HUB_BOUNDS.spaces / 500 + 1);
  });

  test("of empty pages without end is refused", async () => {
    const hub = await hubWith(({ headers, url }, response) => {
      response.setHeader("link", `<http://${headers.host}${url}>; rel="next"`).end("[]");
    });
    await expect(list(hub)).rejects.toMatchObject({ message: expect.stringMatching(/more than 100 pages/) });
  });

  test("leaves out what is no app, and shows the rest", async () => {
    const odd = [
      null,
      1,
      "x",
      [],
      { ...TAGGED, id: "../../etc" },
      { ...TAGGED, id: 7 },
      { ...TAGGED, lastModified: "x" },
    ];
    const card = { ...TAGGED, id: "ada/other", cardData: { title: 7, emoji: { a: [1] } } };
    expect(await list(await hubWith(json([...odd, TAGGED, card])))).toEqual(["ada/wave", "ada/other"]);
  });

  test("that cannot be read is the reason that the catalogue gives", async () => {
    const hub = await hubWith(json("no list"));
    const dataDir = temporaryFolder("hostile-hub-");
    const catalogue = new HubCatalogue(hub, { dataDir, clock: new ManualClock(), closing: never });
    expect(await catalogue.read()).toMatchObject({
      apps: [],
      offline: expect.stringMatching(/^the list of spaces is "no list"; it must be a list\./),
    });
  });
});

describe("wrong types are named, in no words of JavaScript", () => {
  const WRONG = [null, 1, "x", [], {}, { id: 1 }, { ...TAGGED, sha: 5 }, { ...TAGGED, lastModified: null }, [[[]]]];
  const LEAKS = /undefined|is not (iterable|a function)|Cannot read|Unexpected token|Invalid time/;
  const calls: [string, (hub: HubClient) => Promise<unknown>][] = [
    ["a space", (hub) => hub.space("ada/wave", never)],
    ["a data set", (hub) => hub.datasetCommit("ada/moves", never)],
    ["a user", (hub) => hub.logIn("hf_x", never)],
    ["files", (hub) => hub.files("ada/wave", SHA, never)],
    ["spaces", list],
  ];

  test.each(calls)("%s", async (name, call) => {
    const isList = name === "files" || name === "spaces";
    for (const wrong of [
      ...WRONG,
      [null],
      [{ type: "file", path: 1, size: 1 }],
      [{ type: "file", path: "a", size: -1 }],
    ]) {
      if (isList && JSON.stringify(wrong) === "[]") continue;
      if (name === "a data set" && (wrong as { sha?: unknown } | null)?.sha === SHA) continue;
      const error = (await call(await hubWith(json(wrong))).catch((reason: unknown) => reason)) as Error;
      expect([name, wrong, error]).toMatchObject([name, wrong, { code: "hub-answer" }]);
      expect(error.message).not.toMatch(LEAKS);
    }
  });

  test.each(["", "<html>", "{", "[".repeat(100_000)])("a body that is no JSON: %j", async (body) => {
    const hub = await hubWith((_, response) => response.end(body));
    await expect(hub.space("ada/wave", never)).rejects.toMatchObject({
      code: "hub-answer",
      message: expect.stringMatching(/ada\/wave is no JSON\. Check --hub-url\.$/),
    });
  });
});

describe("an app", () => {
  const run = { signal: never, enter: () => {}, log: () => {} };
  /** A hub with one space of these files. */
  const hubOf = (files: readonly unknown[], bounds?: Partial<HubBounds>) =>
    hubWith(({ url = "" }, response) => {
      if (url.includes("/revision/")) response.end(JSON.stringify(TAGGED));
      else if (url.includes("/tree/")) response.end(JSON.stringify(files));
      else response.end("x");
    }, bounds);
  const fetchInto = async (hub: HubClient) => {
    const folder = temporaryFolder("hostile-app-");
    await spaceSource(hub, "ada/wave").fetch(path.join(folder, "app"), run);
    return readdir(path.join(folder, "app"));
  };
  const file = (name: string, size = 1) => ({ type: "file", path: name, size });

  test.each([
    ["../../escape", /leads elsewhere/],
    ["/etc/passwd", /leads elsewhere/],
    ["a//b", /leads elsewhere/],
    ["a/", /leads elsewhere/],
    ["a\0b", /control character/],
    ["\ud800", /not Unicode/],
    ["n".repeat(256), /more than 255 bytes/],
    ["a/".repeat(600).concat("b"), /more than 1024 bytes/],
  ])("with a file %j is refused", async (name, why) => {
    await expect(fetchInto(await hubOf([file(name)]))).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringMatching(why),
    });
  });

  test("with a file that is a folder as well, or is listed twice, is refused", async () => {
    const refused = (files: readonly unknown[]) => hubOf(files).then((hub) => expect(fetchInto(hub)).rejects);
    await (await refused([file("a"), file("a/b")])).toMatchObject({
      message: expect.stringMatching(/is a folder as well/),
    });
    await (await refused([file("a"), file("a")])).toMatchObject({ message: expect.stringMatching(/listed twice/) });
  });

  test("with odd but possible names is fetched", async () => {
    expect(await fetchInto(await hubOf([file("ü %2e#?.py"), file("日本")]))).toEqual(["ü %2e#?.py", "日本"].sort());
  });

  test("that is too large is refused before anything is fetched", async () => {
    await expect(fetchInto(await hubOf([file("a", 1.5e9), file("b", 1.5e9)]))).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringMatching(/3000 MB; an app has at most 2000 MB/),
    });
  });

  test("of too many files is refused", async () => {
    const hub = await hubOf(
      Array.from({ length: 101 }, (_, at) => file(`f${at}`)),
      { files: 100 },
    );
    await expect(fetchInto(hub)).rejects.toMatchObject({ code: "hub-answer" });
  });
});

describe("a hub that keeps us waiting", () => {
  test("by a file that drips, however regularly, is given up", async () => {
    const hub = await hubWith(
      (_, response) => {
        const drip = setInterval(() => response.write("x"), 5);
        response.on("close", () => clearInterval(drip));
      },
      { stallMs: 200, bytesPerSecond: 10_000 },
    );
    const content = hub.content("ada/wave", SHA, { path: "big.bin", size: 1e9 }, never);
    await expect(read(content)).rejects.toMatchObject({
      code: "hub-unreachable",
      message: expect.stringMatching(/has sent \d+ bytes of ada\/wave\/big\.bin in 0\.2 s/),
    });
  });

  test("by a reader that is slow is not blamed", async () => {
    const hub = await hubWith((_, response) => void response.end(Buffer.alloc(1_000_000)), { stallMs: 100 });
    let bytes = 0;
    for await (const chunk of hub.content("ada/wave", SHA, { path: "big.bin", size: 1_000_000 }, never)) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 200));
      bytes += chunk.byteLength;
    }
    expect(bytes).toBe(1_000_000);
  });

  test("by a list of pages, each in time, is given up", async () => {
    const hub = await hubWith(
      ({ headers, url }, response) => {
        response.setHeader("link", `<http://${headers.host}${url}>; rel="next"`);
        setTimeout(() => response.end("[]"), 20);
      },
      { listMs: 200, pages: Number.POSITIVE_INFINITY },
    );
    await expect(list(hub)).rejects.toMatchObject({ code: "hub-unreachable" });
  });

  test("by a slow drip is given up", async () => {
    const hub = await hubWith(
      (_, response) => {
        const drip = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(drip));
      },
      { answerMs: 200 },
    );
    await expect(hub.space("ada/wave", never)).rejects.toMatchObject({
      code: "hub-unreachable",
      message: expect.stringMatching(/took too long/),
    });
  });

  test("in the middle of a file is given up", async () => {
    const hub = await hubWith((_, response) => response.write("xx"), { stallMs: 100 });
    await expect(read(hub.content("ada/wave", SHA, { path: "a", size: 10 }, never))).rejects.toMatchObject({
      code: "hub-unreachable",
      message: expect.stringMatching(/has sent 2 bytes of ada\/wave\/a in 0\.1 s/),
    });
  });

  test("by endless redirects is given up", async () => {
    const hub = await hubWith(({ headers }, response) => {
      response.writeHead(302, { location: `http://${headers.host}/again` }).end();
    });
    await expect(hub.space("ada/wave", never)).rejects.toMatchObject({
      code: "hub-unreachable",
      message: expect.stringMatching(/redirect/),
    });
  });
});
