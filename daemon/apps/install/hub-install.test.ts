import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { commit } from "@huggingface/hub";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Hub as LocalHub } from "../../../assistant/hub/hub.ts";
import { systemClock } from "../../clock.ts";
import type { AppEvent } from "../app-events.ts";
import { type AppHost, createAppHost } from "../app-host.ts";
import { type HandmadeVenv, handmadeVenv } from "../testing/handmade-venv.ts";
import { localHub } from "../testing/local-hub.ts";
import { RecordingRobot } from "../testing/recording-robot.ts";

let home: HandmadeVenv;
let hub: LocalHub;
let host: AppHost;
let events: AppEvent[];
beforeEach(async () => {
  home = await handmadeVenv();
  await home.addTools();
  await addDistribution("robot-sdk", "0.1.0");
  hub = await localHub(home.root);
  host = await openHost();
});
afterEach(async () => {
  await host.shutdown();
  await home.remove();
});

async function openHost(startupApp: string | null = null, hubUrl = hub.url): Promise<AppHost> {
  const opened = await createAppHost({
    dataDir: home.root,
    venv: home.venv,
    uv: null,
    robot: new RecordingRobot().asRobot(),
    clock: systemClock,
    env: { PATH: process.env.PATH, PIP_NO_INDEX: "1" },
    remoteSessionActive: () => false,
    hub: { url: hubUrl, token: "hf_local_read" },
    startupApp,
    graceMs: 200,
  });
  events = [];
  opened.onEvent((event) => events.push(event));
  return opened;
}

/** What an installer leaves of a distribution, without its modules. */
async function addDistribution(name: string, version: string, requires = ""): Promise<void> {
  const folder = path.join(home.sitePackages, `${name.replaceAll("-", "_")}-${version}.dist-info`);
  await mkdir(folder);
  const needs = requires === "" ? "" : `Requires-Dist: ${requires}\n`;
  await writeFile(path.join(folder, "METADATA"), `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs}`);
  await writeFile(path.join(folder, "INSTALLER"), "pip\n");
  await writeFile(path.join(folder, "RECORD"), "");
}

const address = (id: string) => `${hub.url}/spaces/${id}`;
const install = (id: string) => host.jobDone(host.install(address(id)).job_id);
const change = (file: string, content: string) =>
  commit({
    repo: { type: "space", name: "maker/nod-along" },
    title: "Change",
    operations: [{ operation: "addOrUpdate", path: file, content: new Blob([content]) }],
    accessToken: "hf_local_write",
    hubUrl: hub.url,
  });

test("an app comes from its space, by any spelling of its name, and is updated when the space moves on", async () => {
  expect(await install("maker/nod-along")).toMatchObject({
    command: `install ${address("maker/nod-along")}`,
    status: "done",
    stage: "record",
    error: null,
    result: { name: "nod_along", extra: { origin: { kind: "hf_space", from: address("maker/nod-along") } } },
  });
  const stages = events.flatMap((event) => (event.kind === "job" ? [event.job.stage] : []));
  expect([...new Set(stages)]).toEqual([null, "fetch", "check", "install", "verify", "record"]);
  const percents = events.flatMap((event) => (event.kind === "job" ? [event.job.percent] : []));
  expect(percents).toEqual([...percents].sort((one, other) => one - other));
  expect(await host.checkUpdates()).toEqual([]);

  const made = await change("nod_along/main.py", "print('nods twice')\n");
  expect(await host.checkUpdates()).toMatchObject([
    { name: "nod_along", url: address("maker/nod-along"), available: made?.commit.oid },
  ]);
  const updated = await host.jobDone((await host.update("Nod-Along")).job_id);
  expect(updated.result?.extra.origin).toMatchObject({ revision: made?.commit.oid });
  expect(await host.checkUpdates()).toEqual([]);
  await hub.close();
  await expect(host.checkUpdates()).rejects.toMatchObject({ code: "hub-unreachable" });
});

describe("refused, with nothing left behind:", () => {
  const refused = async (id: string, code: string, error: RegExp) => {
    expect(await install(id)).toMatchObject({ status: "failed", code, error: expect.stringMatching(error) });
    expect(await host.list()).toEqual([]);
  };

  test("a package that offers no app", () => refused("tinkerer/no_entry_point", "app-invalid", /entry-points/));

  test("a package that would take the SDK's place", () =>
    refused("tinkerer/sdk_impostor", "app-invalid", /its distribution is called robot-sdk, which belongs to/));

  test("an app of another name than its space", async () => {
    const pyproject = (name: string) =>
      `[project]\nname = "x"\nversion = "1"\n[project.entry-points.robot_apps]\n${name} = "x.main:X"\n`;
    await change("pyproject.toml", pyproject("other"));
    await refused(
      "maker/nod-along",
      "app-invalid",
      /offers other, but no app named nod-along\. Name the entry point nod_along/,
    );
  });

  test("an app that asks for what cannot be had, by name", () =>
    refused("tinkerer/wants_the_future", "dependency-conflict", /robot-sdk>=99/));

  test("an app that breaks what another one needs, by both names", async () => {
    await addDistribution("other-app", "2.0", "nod-along<0.1");
    await refused("maker/nod-along", "dependency-conflict", /other-app 2\.0 (requires|has requirement) nod-along<0\.1/);
  });

  test("addresses elsewhere, at once", async () => {
    expect(() => host.install("https://example.com/spaces/maker/x")).toThrow(
      expect.objectContaining({ code: "address-refused" }),
    );
    expect(host.jobs()).toEqual([]);
  });
});

test("what did not fit before is no reason to refuse an app", async () => {
  await addDistribution("broken", "1.0", "something-else>3");
  expect(await install("maker/look_around")).toMatchObject({ status: "done", error: null });
});

test("an app that was put there by hand says how it is updated", async () => {
  await home.add("obedient");
  await expect(host.update("obedient")).rejects.toMatchObject({ code: "bad-request" });
});

describe("the startup app", () => {
  const reopen = async (...how: Parameters<typeof openHost>) => {
    await host.shutdown();
    host = await openHost(...how);
  };

  /** The warning with which the startup app is given up for now. */
  const toldOf = async () => {
    const told: string[] = [];
    host.onEvent((event) => event.kind === "notice" && told.push(event.message));
    await host.fetchStartupApp();
    expect(told).toHaveLength(1);
    return told[0];
  };

  test("is fetched from the catalogue when it is not there, once for all who ask", async () => {
    await reopen("look-around");
    await Promise.all([host.fetchStartupApp(), host.fetchStartupApp()]);
    expect((await host.list()).map(({ name }) => name)).toEqual(["look_around"]);
    await host.fetchStartupApp();
    expect(host.jobs()).toHaveLength(1);
  });

  test.each([
    [
      "nobody offers it",
      "loke_around",
      /"loke_around" is installed, and http\S+ offers none\. The hub offers look_around\./,
    ],
    ["it does not fit", "wants_the_future", /robot-sdk>=99/],
  ])("is told of, with what may help, when %s", async (_, name, why) => {
    await reopen(name);
    expect(await toldOf()).toMatch(why);
  });

  test("is told of when nobody can know, and is not refused as unknown", async () => {
    await home.add("obedient");
    await reopen("obedien", "http://127.0.0.1:9");
    expect(await toldOf()).toMatch(
      /"obedien" is installed, and whether the hub offers one could not be asked: .* does not answer .* Did you mean obedient\?/,
    );
  });

  test("is chosen only among those that there are", async () => {
    await expect(host.setStartupApp("loke_around")).rejects.toMatchObject({ code: "app-not-found" });
    await expect(host.setStartupApp("no name")).rejects.toMatchObject({ code: "bad-request" });
    expect(host.startupApp()).toBeNull();
    await host.setStartupApp("look_around");
    expect(host.startupApp()).toBe("look_around");
    await expect(host.start("look_around")).rejects.toMatchObject({
      message: expect.stringMatching(
        /The hub offers it: POST \/api\/apps\/install \{"url": "http\S+\/maker\/look_around"\}/,
      ),
    });
  });

  test("needs no hub when it is there", async () => {
    await home.add("obedient");
    await reopen("obedient", "http://127.0.0.1:9");
    await host.fetchStartupApp();
  });
});
