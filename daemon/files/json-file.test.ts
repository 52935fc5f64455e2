import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readJson, writeJson } from "./json-file.ts";

const Volume = z.object({ volume: z.int() });
let folder = "";
beforeEach(async () => {
  folder = temporaryFolder("json-file-");
});

test("what was written last is read, and nothing else is left in the folder", async () => {
  const file = path.join(folder, "volume.json");
  await writeJson(file, { volume: 70, more: "x".repeat(1000) });
  await writeJson(file, { volume: 80 });
  expect(await readJson(file, Volume)).toEqual({ volume: 80 });
  expect(await readdir(folder)).toEqual(["volume.json"]);
});

test("a file that is missing, a folder, no JSON or of another schema reads as null", async () => {
  await mkdir(path.join(folder, "folder.json"));
  await writeFile(path.join(folder, "cut.json"), '{"volume": 8');
  await writeFile(path.join(folder, "other.json"), '{"volume": "loud"}');
  for (const name of ["missing.json", "folder.json", "cut.json", "other.json"])
    expect(await readJson(path.join(folder, name), Volume)).toBeNull();
});
