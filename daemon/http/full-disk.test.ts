import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fillDisk, fillDiskBut, mountSmallDisk } from "../../common/testing/full-disk.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

async function startOnSmallDisk(): Promise<{ daemon: TestDaemon; disk: string } | null> {
  const disk = await mountSmallDisk({ megabytes: 30, files: 4000 });
  if (disk === null) return null;
  const daemon = await startTestDaemon(["obedient"], { within: disk });
  onTestFinished(() => daemon.close());
  return { daemon, disk };
}

const send = (daemon: TestDaemon, method: string, path: string, body: unknown) =>
  daemon.request(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const SAVING: [method: string, url: string, body: unknown, what: RegExp][] = [
  ["PUT", "/api/apps/startup-app", { startup_app: "obedient" }, /^The choice of the startup app was not saved: /],
  ["POST", "/api/volume/set", { volume: 12 }, /^The volume is set until the daemon ends, but was not saved: /],
  ["POST", "/api/volume/microphone/set", { volume: 13 }, /^The volume is set until .* was not saved: /],
];

test("on a full disk, what cannot be saved is said, and the daemon runs on", async ({ skip }) => {
  const started = await startOnSmallDisk();
  if (started === null) return skip("a small disk needs root");
  const { daemon, disk } = started;
  await fillDiskBut(disk, 0);
  await fillDisk(disk);
  for (const [method, url, body, what] of SAVING) {
    const { status, text } = await send(daemon, method, url, body);
    expect([url, status]).toEqual([url, 507]);
    expect(JSON.parse(text)).toMatchObject({ code: "disk-full", detail: expect.stringMatching(what) });
    expect(JSON.parse(text).detail).toContain(`the disk of ${daemon.dataDir} is full. Make room and try again.`);
  }
  expect(await daemon.json("/api/apps/startup-app")).toEqual({ startup_app: null });
  expect(await daemon.json("/api/volume/current")).toMatchObject({ volume: 12 });
  expect((await daemon.request("/api/apps/start-app/obedient", { method: "POST" })).status).toBe(200);
  expect((await daemon.request("/api/apps/stop-current-app", { method: "POST" })).status).toBe(200);
  expect(daemon.output()).not.toContain("a route failed");

  for (const name of await readdir(disk)) if (name.startsWith("filler")) await rm(path.join(disk, name));
  for (const [method, url, body] of SAVING) expect((await send(daemon, method, url, body)).status).toBe(200);
});
