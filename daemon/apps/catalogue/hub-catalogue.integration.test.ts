import { createRepo } from "@huggingface/hub";
import { beforeEach, describe, expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { JumpingClock, jumpingUnixTime } from "../../../common/testing/jumping-clock.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { localHub } from "../../../fixtures/hub/server/testing/local-hub.ts";
import { searchApps } from "../../../robot/wire/apps/app-search.ts";
import { HubClient } from "../hub/hub-client.ts";
import { HubCatalogue } from "./hub-catalogue.ts";

const NEVER = new AbortController().signal;
let folder: string;
let clock: ManualClock;
beforeEach(async () => {
  folder = temporaryFolder("catalogue-");
  clock = new ManualClock();
});

const catalogueOf = (url: string, token: string | null = null) =>
  new HubCatalogue(new HubClient({ url, token }), { dataDir: folder, clock, closing: NEVER });

async function publish(hubUrl: string, name: string, tags = "robot_python_app"): Promise<void> {
  const card = `---\ntitle: ${name}\ntags: [${tags}]\n---\n`;
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

test("lists every tagged space, over all pages, and private ones with a token", async () => {
  const hub = await localHub(folder, { pageSize: 2 });
  const { apps, ...state } = await catalogueOf(hub.url).read();
  expect(state).toEqual({ hub: hub.url, age_s: 0, offline: null });
  expect(apps.map(({ extra }) => extra.id)).toEqual(TAGGED);
  expect(apps[0]).toMatchObject({
    name: "look_around",
    source_kind: "hf_space",
    description: "Turns the head from side to side.",
    url: `${hub.url}/spaces/maker/look_around`,
    extra: { author: "maker", title: "Look around", private: false, revision: expect.stringMatching(/^\w{40}$/) },
  });
  const mine = await catalogueOf(hub.url, "hf_local_read").read(true);
  expect(mine.apps.map(({ name }) => name)).toContain("secret_wave");
});

test("lists spaces with the tag of any dialect once, and tells the dialect", async () => {
  const hub = await localHub(folder);
  await publish(hub.url, "maker/public_one", "reachy_mini, reachy_mini_python_app");
  await publish(hub.url, "maker/both", "reachy_mini_python_app, robot_python_app");
  const { apps } = await catalogueOf(hub.url, "hf_local_read").read();
  const found = apps.filter(({ name }) => ["both", "look_around", "public_one"].includes(name));
  expect(found.map(({ name, extra }) => `${name} ${extra.dialect}`).sort()).toEqual([
    "both robot",
    "look_around robot",
    "public_one reachy_mini",
  ]);
});

test("is fetched again after five minutes, or on request", async () => {
  const hub = await localHub(folder);
  const catalogue = catalogueOf(hub.url);
  await catalogue.read();
  await publish(hub.url, "maker/fresh");
  clock.advance(299_000);
  const has = async (refresh?: boolean) => (await catalogue.read(refresh)).apps.some((app) => app.name === "fresh");
  expect(await has()).toBe(false);
  expect((await catalogue.read()).age_s).toBe(299);
  clock.advance(1000);
  expect(await has()).toBe(true);
  await publish(hub.url, "maker/fresher");
  expect((await catalogue.read(true)).apps.some((app) => app.name === "fresher")).toBe(true);
});

test("shows the cached list and the reason when the hub does not answer, also after a restart", async () => {
  const hub = await localHub(folder);
  await catalogueOf(hub.url).read();
  await hub.close();
  clock.advance(3_600_000);
  const { apps, age_s, offline } = await catalogueOf(hub.url).read();
  expect(apps).toHaveLength(TAGGED.length);
  expect(age_s).toBe(3600);
  expect(offline).toMatch(
    /^http:\S+ does not answer \(ECONNREFUSED\) when asked for the list of spaces\. Check the network/,
  );
});

test("is fetched again by its age, however the wall clock is set", async () => {
  const hub = await localHub(folder);
  await catalogueOf(hub.url).read();
  await publish(hub.url, "maker/fresh");
  const isFound = async (catalogue: HubCatalogue) => (await catalogue.read()).apps.some((app) => app.name === "fresh");
  clock = new JumpingClock();
  clock.unixTime = () => 0;
  // The list on the disk comes from the future.
  const catalogue = catalogueOf(hub.url);
  expect(await isFound(catalogue)).toBe(true);
  await publish(hub.url, "maker/fresher");
  clock.advance(299_000);
  clock.unixTime = jumpingUnixTime();
  expect(await catalogue.read()).toMatchObject({ age_s: 299 });
  clock.advance(1000);
  expect((await catalogue.read()).apps.some((app) => app.name === "fresher")).toBe(true);
});

test("does not show the cached apps of another hub", async () => {
  const hub = await localHub(folder);
  await catalogueOf(hub.url).read();
  const other = await catalogueOf("http://127.0.0.1:9").read();
  expect(other).toMatchObject({
    apps: [],
    age_s: null,
    offline: expect.stringContaining("127.0.0.1:9 does not answer"),
  });
});

describe("a faulty hub", () => {
  test.each([
    ["fails", 500, "oops", /answers with 500/],
    ["answers with something else than JSON", 200, "<html>", /cannot be used: the list of spaces is no JSON\. Check/],
    ["answers with another shape", 200, '{"error": "busy"}', /the list of spaces is .*; it must be a list/],
  ])("%s: the catalogue gives the reason", async (_, status, body, why) => {
    const url = await serveHttp((_request, response) => response.writeHead(status).end(body));
    expect((await catalogueOf(url).read()).offline).toMatch(why);
  });

  test("points to another host: the token is not sent there", async () => {
    const seen: (string | undefined)[] = [];
    const thief = await serveHttp((request, response) => {
      seen.push(request.headers.authorization);
      response.end("[]");
    });
    const url = await serveHttp((_request, response) => {
      response.setHeader("link", `<${thief}/api/spaces?cursor=2>; rel="next"`).end("[]");
    });
    expect((await catalogueOf(url, "hf_secret").read()).offline).toContain(`it points to ${thief}`);
    expect(seen).toEqual([]);
  });
});

describe("an app is found by name", () => {
  test("in any case, with hyphens or underscores", async () => {
    const hub = await localHub(folder);
    expect(await catalogueOf(hub.url).find("Nod_Along")).toMatchObject({ name: "nod-along" });
    expect(await catalogueOf(hub.url).find("nothing")).toBeNull();
  });

  test("also when it was published after the list was read", async () => {
    const hub = await localHub(folder);
    const catalogue = catalogueOf(hub.url);
    expect(await catalogue.find("new_one")).toBeNull();
    await publish(hub.url, "maker/new_one");
    expect(await catalogue.find("new_one")).toMatchObject({ name: "new_one" });
  });

  test("but not when two users offer one, so that a second one cannot replace the first", async () => {
    const hub = await localHub(folder);
    await publish(hub.url, "maker/wants-the-future");
    await expect(catalogueOf(hub.url).find("wants_the_future")).rejects.toMatchObject({
      code: "bad-request",
      message: expect.stringContaining("Install one of them first"),
    });
  });

  test("without the hub only when it is in the cached list", async () => {
    await expect(catalogueOf("http://127.0.0.1:9").find("x")).rejects.toMatchObject({ code: "hub-unreachable" });
    const hub = await localHub(folder);
    await catalogueOf(hub.url).read();
    await hub.close();
    clock.advance(3_600_000);
    expect(await catalogueOf(hub.url).find("nod_along")).toMatchObject({ name: "nod-along" });
    await expect(catalogueOf(hub.url).find("x")).rejects.toMatchObject({ code: "hub-unreachable" });
  });
});

test("private spaces of a user who logged out are not listed", async () => {
  const hub = await localHub(folder, { pageSize: 2 });
  const account = new HubClient({ url: hub.url, token: "hf_local_read" });
  const catalogue = new HubCatalogue(account, { dataDir: folder, clock, closing: NEVER });
  const names = async () => (await catalogue.read()).apps.map(({ name }) => name);
  expect(await names()).toContain("secret_wave");
  account.logOut();
  expect(await names()).not.toContain("secret_wave");
});

test("a search finds apps in which every word occurs", async () => {
  const { apps } = await catalogueOf((await localHub(folder)).url).read();
  const names = (query: string) => searchApps(apps, query).map(({ name }) => name);
  expect(names("NOD along")).toEqual(["nod-along"]);
  expect(names("side maker")).toEqual(["look_around"]);
  expect(names("  ")).toHaveLength(TAGGED.length);
  expect(names("side tinkerer")).toEqual([]);
});
