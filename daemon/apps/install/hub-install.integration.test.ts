import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { commit } from "@huggingface/hub";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../common/time/clock.ts";
import type { Hub as LocalHub } from "../../../fixtures/hub/server/hub.ts";
import { localHub } from "../../../fixtures/hub/server/testing/local-hub.ts";
import type { AppEvent } from "../../../robot/wire/apps/app-events.ts";
import { type AppHost, createAppHost } from "../app-host.ts";
import { RecordingRobot } from "../testing/recording-robot.ts";
import { TEST_UV, WITHOUT_INDEX } from "../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../testing/test-venv.ts";

let home: TestVenv;
let hub: LocalHub;
let host: AppHost;
let events: AppEvent[];
beforeEach(async () => {
  home = await createTestVenv();
  await home.addTools();
  await addDistribution("robot-sdk", "0.1.0");
  hub = await localHub(home.root);
  host = await openHost();
});
afterEach(async () => {
  await host.close();
  await home.remove();
});

async function openHost(startupApp: string | null = null, hubUrl = hub.url): Promise<AppHost> {
  const opened = await createAppHost({
    dataDir: home.root,
    venv: home.venv,
    uv: TEST_UV,
    robot: new RecordingRobot().asRobot(),
    clock: systemClock,
    env: { ...WITHOUT_INDEX, HOME: home.root },
    hub: { url: hubUrl, token: "hf_local_read" },
    startupApp,
  });
  events = [];
  opened.events.on((event) => events.push(event));
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
const install = (id: string) => host.jobs.done(host.installer.install(address(id)).job_id);
const change = (file: string, content: string) =>
  commit({
    repo: { type: "space", name: "maker/nod-along" },
    title: "Change",
    operations: [{ operation: "addOrUpdate", path: file, content: new Blob([content]) }],
    accessToken: "hf_local_write",
    hubUrl: hub.url,
  });

test("an app is installed from its space, by any spelling of its name, and updated after a new commit", async () => {
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
  expect(await host.installer.availableUpdates()).toEqual([]);

  const made = await change("nod_along/main.py", "print('nods twice')\n");
  expect(await host.installer.availableUpdates()).toMatchObject([
    { name: "nod_along", url: address("maker/nod-along"), available: made?.commit.oid },
  ]);
  const updated = await host.jobs.done((await host.installer.update("Nod-Along")).job_id);
  expect(updated.result?.extra.origin).toMatchObject({ revision: made?.commit.oid });
  expect(await host.installer.availableUpdates()).toEqual([]);
  await hub.close();
  await expect(host.installer.availableUpdates()).rejects.toMatchObject({ code: "hub-unreachable" });
});

describe("is refused, and nothing is installed:", () => {
  const refused = async (id: string, code: string, error: RegExp) => {
    expect(await install(id)).toMatchObject({ status: "failed", code, error: expect.stringMatching(error) });
    expect(await host.installed.list()).toEqual([]);
  };

  test("a package without an app", () => refused("tinkerer/no_entry_point", "app-invalid", /entry-points/));

  test("a package with the name of the SDK", () =>
    refused("tinkerer/sdk_impostor", "app-invalid", /its distribution is called robot-sdk, a name that is reserved/));

  test("an app with another name than its space", async () => {
    const pyproject = (name: string) =>
      `[project]\nname = "x"\nversion = "1"\n[project.entry-points.robot_apps]\n${name} = "x.main:X"\n`;
    await change("pyproject.toml", pyproject("other"));
    await refused(
      "maker/nod-along",
      "app-invalid",
      /offers other, but no app named nod-along\. Name the entry point nod_along/,
    );
  });

  test("an app with a requirement that cannot be met, which the error names", () =>
    refused("tinkerer/wants_the_future", "dependency-conflict", /robot-sdk>=99/));

  test("an app that breaks a requirement of another one; the error names both", async () => {
    await addDistribution("other-app", "2.0", "nod-along<0.1");
    await refused("maker/nod-along", "dependency-conflict", /other-app.* (requires|has requirement) .?nod-along<0\.1/);
  });

  test("an address outside the hub, without a job", async () => {
    expect(() => host.installer.install("https://example.com/spaces/maker/x")).toThrow(
      expect.objectContaining({ code: "address-refused" }),
    );
    expect(host.jobs.list()).toEqual([]);
  });
});

test("requirements that were unmet before do not count against an app", async () => {
  await addDistribution("broken", "1.0", "something-else>3");
  expect(await install("maker/look_around")).toMatchObject({ status: "done", error: null });
});

test("the update of an app that was installed by hand says how to do it", async () => {
  await home.add("obedient");
  await expect(host.installer.update("obedient")).rejects.toMatchObject({ code: "bad-request" });
});

describe("the startup app", () => {
  const reopen = async (...how: Parameters<typeof openHost>) => {
    await host.close();
    host = await openHost(...how);
  };

  /** The warning about a startup app that cannot be installed. */
  const warningOfPrepare = async () => {
    const warnings: string[] = [];
    host.events.on((event) => event.kind === "notice" && warnings.push(event.message));
    await host.startupApp.prepare();
    expect(warnings).toHaveLength(1);
    return warnings[0];
  };

  test("is installed from the hub when it is missing, by one job for several calls", async () => {
    await reopen("look-around");
    await Promise.all([host.startupApp.prepare(), host.startupApp.prepare()]);
    expect((await host.installed.list()).map(({ info }) => info.name)).toEqual(["look_around"]);
    await host.startupApp.prepare();
    expect(host.jobs.list()).toHaveLength(1);
  });

  test.each([
    [
      "the hub does not offer it",
      "loke_around",
      /"loke_around" is installed, and http\S+ offers none\. The hub offers look_around\./,
    ],
    ["its requirements cannot be met", "wants_the_future", /robot-sdk>=99/],
  ])("cannot be installed, and the warning says what to do, when %s", async (_, name, why) => {
    await reopen(name);
    expect(await warningOfPrepare()).toMatch(why);
  });

  test("is not refused as unknown when the hub does not answer", async () => {
    await home.add("obedient");
    await reopen("obedien", "http://127.0.0.1:9");
    expect(await warningOfPrepare()).toMatch(
      /"obedien" is installed, and the hub could not be asked for it: .* does not answer .* Did you mean obedient\?/,
    );
  });

  test("must be installed or on the hub to be chosen", async () => {
    await expect(host.startupApp.choose("loke_around")).rejects.toMatchObject({ code: "app-not-found" });
    await expect(host.startupApp.choose("no name")).rejects.toMatchObject({ code: "bad-request" });
    expect(host.startupApp.name).toBeNull();
    await host.startupApp.choose("look_around");
    expect(host.startupApp.name).toBe("look_around");
    await expect(host.slot.start("look_around")).rejects.toMatchObject({
      message: expect.stringMatching(
        /The hub offers it: POST \/api\/apps\/install \{"url": "http\S+\/maker\/look_around"\}/,
      ),
    });
  });

  test("needs no hub when it is installed", async () => {
    await home.add("obedient");
    await reopen("obedient", "http://127.0.0.1:9");
    await host.startupApp.prepare();
  });
});
