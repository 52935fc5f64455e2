import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import { ORIGINS_FILE, OriginRecords } from "./origin-records.ts";

const origin: AppOrigin = { kind: "local", from: "/home/me/app", revision: "sha256:1" };

async function records() {
  const venv = temporaryFolder("origins-");
  return { file: path.join(venv, ORIGINS_FILE), origins: new OriginRecords(venv, null) };
}

test("origins of other apps are kept by each change", async () => {
  const { origins } = await records();
  await origins.set(["One-App"], origin);
  await origins.set(["two"], origin);
  await origins.delete(["one_app"]);
  expect(Object.keys(await origins.read())).toEqual(["two"]);
});

test("a file that cannot be read is not replaced", async () => {
  const { file, origins } = await records();
  await mkdir(file);
  await writeFile(path.join(file, "kept"), "");
  await expect(origins.set(["app"], origin)).rejects.toThrow("EISDIR");
  await expect(origins.delete(["app"])).rejects.toThrow("EISDIR");
  expect(await readFile(path.join(file, "kept"), "utf8")).toBe("");
  expect(await origins.read()).toEqual({});
});
