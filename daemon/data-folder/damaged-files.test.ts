import { spawnSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { OriginRecords } from "../apps/catalogue/origin-records.ts";
import { readStartupAppName, writeStartupAppName } from "../apps/startup/startup-app.ts";
import { RunningApp, writeRunningApp } from "../apps/stop/orphaned-app.ts";
import { loadVolumes, saveVolumes } from "../audio/audio.ts";
import { readJson } from "../files/json-file.ts";
import { accessToken } from "../network/access-token.ts";
import { setAsideDamagedFiles } from "./damaged-files.ts";

let dataDir: string;
let venv: string;
let token: string;
const inDataDir = (name: string): string => path.join(dataDir, name);

/** What the daemon knows from its files. */
async function state() {
  const origins = new OriginRecords(venv, dataDir);
  return {
    "startup-app.json": await readStartupAppName(inDataDir("startup-app.json")),
    "audio.json": (await loadVolumes(inDataDir("audio.json"))).speaker,
    "running-app.json": (await readJson(inDataDir("running-app.json"), RunningApp))?.app ?? null,
    "access-token": (await accessToken(dataDir)) === token,
    "apps_venv/installed-apps.json": (await origins.read()).wave?.from ?? null,
  };
}

const KNOWN = {
  "startup-app.json": "wave",
  "audio.json": 33,
  "running-app.json": "wave",
  "access-token": true,
  "apps_venv/installed-apps.json": "/home/me/wave",
};
const WITHOUT = {
  "startup-app.json": null,
  "audio.json": 80,
  "running-app.json": null,
  "access-token": false,
  "apps_venv/installed-apps.json": null,
};
const FILES = Object.keys(KNOWN) as (keyof typeof KNOWN)[];

beforeEach(async () => {
  dataDir = temporaryFolder("damaged-");
  venv = inDataDir("apps_venv");
  await mkdir(venv);
  await writeStartupAppName(inDataDir("startup-app.json"), "wave");
  await saveVolumes(inDataDir("audio.json"), { speaker: 33, microphone: 44 });
  await writeRunningApp(inDataDir("running-app.json"), "wave", null, "a run id");
  await new OriginRecords(venv, dataDir).set(["wave"], { kind: "local", from: "/home/me/wave", revision: "1" });
  token = await accessToken(dataDir);
});

test("files that are intact stay as they are", async () => {
  expect(await setAsideDamagedFiles(dataDir, venv)).toEqual([]);
  expect(await state()).toEqual(KNOWN);
});

const DAMAGES: [what: string, damage: (file: string) => Promise<unknown>][] = [
  ["is empty", (file) => writeFile(file, "")],
  ["ends in the middle", async (file) => truncate(file, Math.floor((await lstat(file)).size / 2))],
  ["is full of zeros", (file) => writeFile(file, Buffer.alloc(4096))],
  ["has another content", (file) => writeFile(file, '{"startup_app": 7, "volume": "loud", "wave": {}}')],
  ["is a folder", (file) => rm(file).then(() => mkdir(file))],
  ["is a pipe", (file) => rm(file).then(() => spawnSync("mkfifo", [file]))],
  ["is a link to a device", (file) => rm(file).then(() => symlink("/dev/zero", file))],
  ["is a link to itself", (file) => rm(file).then(() => symlink(path.basename(file), file))],
  ["is huge", (file) => truncate(file, 5_000_000_000)],
];

describe.each(FILES)("%s", (name) => {
  test.each(DAMAGES)("that %s is set aside by name, and nothing else is lost", async (_, damage) => {
    const file = inDataDir(name);
    await damage(file);
    const [text, ...others] = await setAsideDamagedFiles(dataDir, venv);
    expect(others).toEqual([]);
    expect(text).toMatch(new RegExp(`^${file} is .*; it is ${path.basename(file)}\\.damaged now\\. [A-Z].*\\.$`));
    expect(await state()).toEqual({ ...KNOWN, [name]: WITHOUT[name] });
    expect(await readdir(path.dirname(file))).toContain(`${path.basename(file)}.damaged`);
    // It can be written again, and be damaged again.
    await writeStartupAppName(inDataDir("startup-app.json"), "nod");
    expect(await readStartupAppName(inDataDir("startup-app.json"))).toBe("nod");
    expect(await setAsideDamagedFiles(dataDir, venv)).toEqual([]);
  });
});

test("each damaged file is kept, and the others are reported as well", async () => {
  for (const name of ["startup-app.json", "audio.json"]) await writeFile(inDataDir(name), "first");
  await setAsideDamagedFiles(dataDir, venv);
  for (const name of ["startup-app.json", "audio.json"]) await writeFile(inDataDir(name), "second");
  expect(await setAsideDamagedFiles(dataDir, venv)).toHaveLength(2);
  expect(await readFile(inDataDir("startup-app.json.damaged"), "utf8")).toBe("first");
  expect(await readFile(inDataDir("startup-app.json.damaged-2"), "utf8")).toBe("second");
});
