import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestDaemon } from "./testing/test-daemon.ts";

test("a daemon whose data folder an app empties, and fills with pipes, answers and hosts apps", async () => {
  const daemon = await startTestDaemon(["obedient"]);
  onTestFinished(() => daemon.close());
  const inDataDir = (name: string) => path.join(daemon.dataDir, name);
  for (const name of await readdir(daemon.dataDir))
    if (!["venv", "apps_venv"].includes(name)) await rm(inDataDir(name), { recursive: true });
  await mkdir(inDataDir("logs"));
  const files = ["startup-app.json", "audio.json", "running-app.json", "catalogue.json", "logs/obedient.log"];
  for (const file of files) expect(spawnSync("mkfifo", [inDataDir(file)]).status).toBe(0);

  const ask = async (method: string, url: string, body?: unknown) => {
    const headers = { "content-type": "application/json" };
    const { status } = await daemon.request(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return [url, status];
  };
  const REQUESTS: [method: string, url: string, body?: unknown][] = [
    ["POST", "/api/apps/start-app/obedient"],
    ["POST", "/api/apps/stop-current-app"],
    ["GET", "/api/apps/logs/obedient"],
    ["PUT", "/api/apps/startup-app", { startup_app: "obedient" }],
    ["POST", "/api/volume/set", { volume: 12 }],
    ["GET", "/api/apps/list-available/installed"],
  ];
  for (const [method, url, body] of REQUESTS) expect(await ask(method, url, body)).toEqual([url, 200]);
  expect(daemon.output()).not.toContain("a route failed");
});
