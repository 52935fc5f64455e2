import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { listApps } from "./catalogue-apps.ts";

const hub = new HubClient({ url: "http://127.0.0.1:9", token: null });
const { signal } = new AbortController();

function newFolder(): string {
  const folder = temporaryFolder("robot-catalogue-test-");
  for (const name of ["b", "a", ".hidden", "more/a"]) mkdirSync(join(folder, name), { recursive: true });
  return folder;
}

test("the apps of a folder are its subfolders", async () => {
  const folder = newFolder();
  const apps = await listApps(folder, "/", hub, signal);
  expect(apps.map(({ name }) => name)).toEqual(["a", "b", "more"]);
});

test("the apps of a file are its lines, without comments and repetitions; folders are relative to the file", async () => {
  const folder = newFolder();
  const text = "# apps\nb # good\n\nb\na\nmore/a\nhttps://hub.example.com/spaces/maker/my_app\n";
  writeFileSync(join(folder, "apps.txt"), text);
  const apps = await listApps("apps.txt", folder, hub, signal);
  expect(apps.map(({ name }) => name)).toEqual([join(folder, "a"), join(folder, "more/a"), "b", "maker/my_app"].sort());
});

test("an app is no catalogue, but a folder of apps may be a Python project, too", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "pyproject.toml"), "");
  await expect(listApps(folder, "/", hub, signal)).rejects.toThrow(/is an app\. Leave --catalogue out/);
  writeFileSync(join(folder, "b/pyproject.toml"), "");
  expect(await listApps(folder, "/", hub, signal)).toHaveLength(3);
});

test.each([
  ["nothing", /There is no catalogue nothing/],
  ["more/a", /has no app/],
  ["a".repeat(300), /cannot be read: ENAMETOOLONG/],
])("%s is refused", async (catalogue, message) => {
  await expect(listApps(catalogue, newFolder(), hub, signal)).rejects.toThrow(message);
});

test("a hub that cannot be reached is reported as such", async () => {
  await expect(listApps("hub:dance", "/", hub, signal)).rejects.toMatchObject({ code: "hub-unreachable" });
});

test("a hub that does not answer in time is unreachable; a cancelled run ends with its own reason", async () => {
  const silent = new HubClient({ url: await serveHttp(() => {}), token: null });
  await expect(listApps("hub:", "/", silent, signal, 60)).rejects.toMatchObject({
    code: "hub-unreachable",
    message: expect.stringContaining("did not list its spaces within 0.06 s"),
  });
  const cancelled = AbortSignal.abort(new Error("cancelled"));
  await expect(listApps("hub:", "/", silent, cancelled)).rejects.toThrow("cancelled");
});
