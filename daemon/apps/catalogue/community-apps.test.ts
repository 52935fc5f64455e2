import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRepo } from "@huggingface/hub";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { matching } from "../../../robot/wire/app-search.ts";
import { Hub } from "../hub/hub.ts";
import { localHub, strangeHub } from "../testing/local-hub.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { CommunityApps } from "./community-apps.ts";

const NEVER = new AbortController().signal;
let folder: string;
let clock: ManualClock;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  clock = new ManualClock();
});

const catalogueOf = (url: string, token: string | null = null) =>
  new CommunityApps(new Hub({ url, token }), folder, clock);

async function publish(hubUrl: string, name: string): Promise<void> {
  const card = `---\ntitle: ${name}\ntags: [robot_python_app]\n---\n`;
  const files = [{ path: "README.md", content: new Blob([card]) }];
  await createRepo({ repo: { type: "space", name }, files, sdk: "static", accessToken: "hf_local_write", hubUrl });
}

const TAGGED = [
  "maker/look_around",
  "maker/nod-along",
  "tinkerer/no_entry_point",
  "tinkerer/sdk_impostor",
  "tinkerer/wants_the_future",
];

test("holds every tagged space, over as many pages as there are, and private ones with a token", async () => {
  const hub = await localHub(folder, { pageSize: 2 });
  const { apps, ...state } = await catalogueOf(hub.url).read(NEVER);
  expect(state).toEqual({ hub: hub.url, age_s: 0, offline: null });
  expect(apps.map(({ extra }) => extra.id)).toEqual(TAGGED);
  expect(apps[0]).toMatchObject({
    name: "look_around",
    source_kind: "hf_space",
    description: "Turns the head from side to side.",
    url: `${hub.url}/spaces/maker/look_around`,
    extra: { author: "maker", title: "Look around", private: false, revision: expect.stringMatching(/^\w{40}$/) },
  });
  const mine = await catalogueOf(hub.url, "hf_local_read").read(NEVER, true);
  expect(mine.apps.map(({ name }) => name)).toContain("secret_wave");
});

test("is asked for again after five minutes, or when somebody insists", async () => {
  const hub = await localHub(folder);
  const community = catalogueOf(hub.url);
  await community.read(NEVER);
  await publish(hub.url, "maker/fresh");
  clock.pass(299_000);
  const has = async (refresh?: boolean) =>
    (await community.read(NEVER, refresh)).apps.some((app) => app.name === "fresh");
  expect(await has()).toBe(false);
  expect((await community.read(NEVER)).age_s).toBe(299);
  clock.pass(1000);
  expect(await has()).toBe(true);
  await publish(hub.url, "maker/fresher");
  expect((await community.read(NEVER, true)).apps.some((app) => app.name === "fresher")).toBe(true);
});

test("shows what it knew, and says why, when the hub is away: also after a restart", async () => {
  const hub = await localHub(folder);
  await catalogueOf(hub.url).read(NEVER);
  await hub.close();
  clock.pass(3_600_000);
  const { apps, age_s, offline } = await catalogueOf(hub.url).read(NEVER);
  expect(apps).toHaveLength(TAGGED.length);
  expect(age_s).toBe(3600);
  expect(offline).toMatch(
    /^http:\S+ does not answer \(ECONNREFUSED\) when asked for the list of spaces\. Check the network/,
  );
});

test("does not show one hub's apps as another's", async () => {
  const hub = await localHub(folder);
  await catalogueOf(hub.url).read(NEVER);
  const other = await catalogueOf("http://127.0.0.1:9").read(NEVER);
  expect(other).toMatchObject({
    apps: [],
    age_s: null,
    offline: expect.stringContaining("127.0.0.1:9 does not answer"),
  });
});

describe("a hub that does what it should not", () => {
  test.each([
    ["fails", 500, "oops", /answers with 500/],
    ["answers with what is no JSON", 200, "<html>", /does not answer \(Unexpected token/],
    ["answers with another shape", 200, '{"error": "busy"}', /does not answer/],
  ])("%s: the catalogue says so", async (_, status, body, why) => {
    const url = await strangeHub((_request, response) => response.writeHead(status).end(body));
    expect((await catalogueOf(url).read(NEVER)).offline).toMatch(why);
  });

  test("sends the reader elsewhere: the token does not go along", async () => {
    const seen: (string | undefined)[] = [];
    const thief = await strangeHub((request, response) => {
      seen.push(request.headers.authorization);
      response.end("[]");
    });
    const url = await strangeHub((_request, response) => {
      response.setHeader("link", `<${thief}/api/spaces?cursor=2>; rel="next"`).end("[]");
    });
    expect((await catalogueOf(url, "hf_secret").read(NEVER)).offline).toContain(`the hub points to ${thief}`);
    expect(seen).toEqual([]);
  });
});

describe("an app is found by its name", () => {
  test("whatever its case and hyphens", async () => {
    const hub = await localHub(folder);
    expect(await catalogueOf(hub.url).find("Nod_Along", NEVER)).toMatchObject({ name: "nod-along" });
    expect(await catalogueOf(hub.url).find("nothing", NEVER)).toBeNull();
  });

  test("not when two users offer one: nobody's place is taken by whoever publishes last", async () => {
    const hub = await localHub(folder);
    await publish(hub.url, "maker/wants-the-future");
    await expect(catalogueOf(hub.url).find("wants_the_future", NEVER)).rejects.toMatchObject({
      code: "bad-request",
      message: expect.stringContaining("Install one of them first"),
    });
  });

  test("not without a hub, unless it was there before", async () => {
    await expect(catalogueOf("http://127.0.0.1:9").find("x", NEVER)).rejects.toMatchObject({ code: "hub-unreachable" });
    const hub = await localHub(folder);
    await catalogueOf(hub.url).read(NEVER);
    await hub.close();
    clock.pass(3_600_000);
    expect(await catalogueOf(hub.url).find("nod_along", NEVER)).toMatchObject({ name: "nod-along" });
    await expect(catalogueOf(hub.url).find("x", NEVER)).rejects.toMatchObject({ code: "hub-unreachable" });
  });
});

test("a search takes every word, wherever it is", async () => {
  const { apps } = await catalogueOf((await localHub(folder)).url).read(NEVER);
  const names = (query: string) => matching(apps, query).map(({ name }) => name);
  expect(names("NOD along")).toEqual(["nod-along"]);
  expect(names("side maker")).toEqual(["look_around"]);
  expect(names("  ")).toHaveLength(TAGGED.length);
  expect(names("side tinkerer")).toEqual([]);
});
